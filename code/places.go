package code

import "uncoil/request"

// A variablePlaces finds the variables of each string of a request, where a
// request has many as fast as where it has few.
type variablePlaces struct {
	list request.Variables
	at   map[string][]request.Variable // nil for few
}

func placesOf(list request.Variables) variablePlaces {
	p := variablePlaces{list: list}
	if len(list) <= pairwise {
		return p
	}
	p.at = make(map[string][]request.Variable)
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].At == list[i].At {
			end++
		}
		if _, again := p.at[list[i].At]; !again {
			p.at[list[i].At] = list[i:end]
		}
		i = end
	}
	return p
}

// in returns the variables of one string, in order, as [request.Variables.At]
// does.
func (p *variablePlaces) in(at string) []request.Variable {
	if p.at == nil {
		return p.list.At(at)
	}
	return p.at[at]
}
