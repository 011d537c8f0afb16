package reqtext

import "uncoil/request"

// fewVariables is up to how many variables are looked through one by one.
const fewVariables = 8

// An Index finds the variables of each string of a request, where a request has
// many as fast as where it has few.
type Index struct {
	list []request.Variable
	at   map[request.Place][]request.Variable // nil for few
}

// IndexOf returns the variables by their places.
func IndexOf(v []request.Variable) Index {
	x := Index{list: v}
	if len(v) <= fewVariables {
		return x
	}
	x.at = make(map[request.Place][]request.Variable)
	for i := 0; i < len(v); {
		end := i + 1
		for end < len(v) && v[end].At == v[i].At {
			end++
		}
		if _, again := x.at[v[i].At]; !again {
			x.at[v[i].At] = v[i:end:end]
		}
		i = end
	}
	return x
}

// At returns the variables in one string, in order.
func (x *Index) At(p request.Place) []request.Variable {
	if x.at == nil {
		return In(x.list, p)
	}
	return x.at[p]
}

// In returns the variables in one string, in order.
func In(list []request.Variable, at request.Place) []request.Variable {
	for i := range list {
		if list[i].At != at {
			continue
		}
		end := i + 1
		for end < len(list) && list[end].At == at {
			end++
		}
		return list[i:end:end]
	}
	return nil
}

// Option returns the place of the text of an option, or of one of several.
func Option(name string, item int) request.Place {
	return request.Place{Member: request.MemberOption, Item: int32(item), Option: name}
}

// At returns the place of the string of a member: that of the pair, field, piece, part,
// parameter or name i, or 0 where there is one only.
func At(m request.Member, i int) request.Place {
	return request.Place{Member: m, Index: int32(i)}
}
