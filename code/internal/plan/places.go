package plan

import (
	"uncoil/code/internal/emit"
	"uncoil/request"
)

// A VariablePlaces finds the variables of each string of a request, where a
// request has many as fast as where it has few.
type VariablePlaces struct {
	List request.Variables
	at   map[string][]request.Variable // nil for few
}

func PlacesOf(list request.Variables) VariablePlaces {
	p := VariablePlaces{List: list}
	if len(list) <= emit.Pairwise {
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

// In returns the variables of one string, in order, as [request.Variables.At]
// does.
func (p *VariablePlaces) In(at string) []request.Variable {
	if p.at == nil {
		return p.List.At(at)
	}
	return p.at[at]
}
