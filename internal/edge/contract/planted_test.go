package contract

import (
	"strings"

	"uncoil/diag"
)

// short spells out what the commands of the tests have in common.
var short = strings.NewReplacer("@S", "https://api.shop.test/v1", "@A", "-H 'Authorization: Bearer t'", "@J", "-H 'Content-Type: application/json'",
	"@M", "-H 'Content-Type: application/merge-patch+json'", "@Q", "-b session=s1 -H 'X-Account: 3'")

// planted are ten commands for each kind of finding, with that finding and no other.
var planted = map[diag.Code][]string{
	UnknownPath: {
		"curl @A @S/item", "curl @A @S/itemz/7", "curl @A @S/items/7/pictures", "curl @A @S/", "curl @A @S/items/7/8",
		"curl @A -X POST @S/orders/o1/cancels", "curl @A https://eu.shop.test/v1/seach", "curl @A @S/reports/sales", "curl @A '@S/hook?token=t'",
		"curl @A http://API.shop.test/v1/statuses",
		// An old version, one more, and no base path.
		"curl @A https://api.shop.test/v2/items", "curl @A https://api.shop.test/api/v1/items/7", "curl @A https://eu.shop.test/items/7",
	},
	UnknownMethod: {
		"curl @A -X DELETE @S/items", "curl @A -X PUT @S/items/7", "curl @A @S/items/7/picture", "curl @A -d q=cup @S/search", "curl @A -X PATCH @S/orders",
		"curl @A @S/orders/o1/cancel", "curl @A -X POST @S/status", "curl -T x @S/hooks", "curl @A -I @S/orders/o1/cancel", "curl -X POST -H 'X-Key: k' @S/reports/sales.csv",
	},
	DeprecatedOperation: {
		"curl @A @S/orders", "curl @A -X GET @S/orders", "curl @A -X POST @S/orders/o1/cancel", "curl @A -I @S/orders", "curl @A https://us.shop.test/v1/orders",
		"curl @A @S/orders/", "curl @A -X POST '@S/orders/{id}/cancel'", "curl @A -X POST @S/orders/$ID/cancel", "curl -s @A @S/orders | jq .", "curl @A --request POST @S/orders/a%20b/cancel",
	},
	UnknownParameter: {
		"curl @A '@S/items?limits=3'", "curl @A '@S/items?limit=3&colour=red'", "curl @A -G -d size=3 @S/items", "curl @A '@S/items?ID=1'", "curl @A '@S/items?tags=a'",
		"curl @A '@S/items/7?full=1'", "curl @A -X DELETE '@S/items/7?force'", "curl @A @Q '@S/search?q=cup&pages=2'", "curl '@S/hooks?token=t&all=1'", "curl @A --url-query x=1 @S/items",
		"curl @A -g '@S/items?ids[]=1&ids[]=2'",
	},
	MissingParameter: {
		"curl @A @Q @S/search", "curl @A @Q '@S/search?page=2'", "curl @A -b session=s1 '@S/search?q=cup'", "curl @A -H 'X-Account: 3' '@S/search?q=cup'",
		"curl @A -b 'other=1' -H 'X-Account: 3' '@S/search?q=cup'", "curl @A @Q -G -d page=1 @S/search", "curl @A @Q -I @S/search", "curl @A @Q '@S/search?'",
		"curl @A @Q https://us.shop.test/v1/search", "curl @A -b session=s1 -H 'X-Accounts: 3' '@S/search?q=cup'",
	},
	InvalidParameter: {
		"curl @A '@S/items?limit=many'", "curl @A '@S/items?limit=0'", "curl @A '@S/items?limit=101'", "curl @A '@S/items?sort=colour'", "curl @A '@S/items?tag=A'",
		"curl @A '@S/items?tag=a&tag=b&tag=c&tag=d'", "curl @A '@S/items?ids=1,two'", "curl @A '@S/items?sold=perhaps'", "curl @A @S/items/seven", "curl -H 'X-Key: k' @S/reports/sales.doc",
	},
	UnknownContentType: {
		"curl @A -d '{\"name\":\"Cup\",\"price\":1}' @S/items", "curl @A -H 'Content-Type: text/xml' -d '<a/>' @S/items", "curl @A @J -X PATCH -d '{\"price\":2}' @S/items/7",
		"curl @A -X PATCH -d '{\"price\":2}' @S/items/7", "curl @A -X PUT -H 'Content-Type: image/gif' --data-binary @a.gif @S/items/7/picture", "curl @A --json '{\"item\":1}' @S/orders",
		"curl @A -F item=1 @S/orders", "curl @A -X PUT --data-binary @a.png @S/items/7/picture", "curl @A @J -d '{\"kind\":\"front\"}' @S/items/7/picture", "curl @A -F name=Cup @S/items",
	},
	MissingBody: {
		"curl @A -X POST @S/items", "curl @A @J -X POST @S/items", "curl @A -X POST @S/orders", "curl @A -X PUT @S/items/7/picture", "curl @A -X POST @S/items/7/picture",
		"curl @A -X POST https://eu.shop.test/v1/items", "curl @A -X POST @S/items/", "curl @A --request POST @S/orders", "curl @A -X PUT -H 'Content-Type: image/png' @S/items/7/picture", "curl -s @A -X POST @S/orders",
	},
	UnknownBody: {
		"curl @A -X GET -d x=1 @S/items", "curl @A -X GET -d '{\"q\":1}' @S/items/7", "curl @A -X DELETE -d '{}' @S/items/7", "curl -X GET -d a=b @S/status", "curl -X GET -d a=b '@S/hooks?token=t'",
		"curl -X GET -d a=b -H 'X-Key: k' @S/reports/sales.csv", "curl @A @Q -X GET -d a=b '@S/search?q=cup'", "curl @A -X DELETE --json '{}' @S/items/7", "curl @A -X GET -T file @S/items/7", "curl @A -X DELETE -F a=b @S/items/7",
	},
	InvalidBody: {
		"curl @A @J -d '{\"name\":\"Cup\"}' @S/items", "curl @A @J -d '{\"name\":7,\"price\":1}' @S/items", "curl @A @J -d '{\"name\":\"Cup\",\"price\":-1}' @S/items",
		"curl @A @J -d '{\"name\":\"Cup\",\"price\":1,\"colour\":\"red\"}' @S/items", "curl @A @J -d '{\"name\":\"Cup\",\"price\":1,\"kind\":\"pot\"}' @S/items",
		"curl @A @J -d '{\"name\":\"Cup\",\"price\":1,\"parts\":[{\"name\":\"Ear\"}]}' @S/items", "curl @A @J -d '{\"name\":\"Cup\",\"price\":1,\"cover\":{\"of\":\"paper\"}}' @S/items",
		"curl @A @M -X PATCH -d '{\"price\":0}' @S/items/7", "curl @A -d 'item=1&size=xl' @S/orders", "curl @A -F file=@a.png @S/items/7/picture",
	},
	MissingCredentials: {
		"curl @S/items", "curl @S/items/7", "curl -X DELETE @S/items/7", "curl @J -d '{\"name\":\"Cup\",\"price\":1}' @S/items", "curl -d item=1 @S/orders",
		"curl @S/reports/sales.csv", "curl @S/hooks", "curl -H 'Accept: text/html' @S/items/7", "curl -I @S/items", "curl https://us.shop.test/v1/items",
	},
	OtherCredentials: {
		"curl -u ann:pw @S/items", "curl -H 'Authorization: Basic YTpi' @S/items", "curl -H 'X-Api-Key: k' @S/items", "curl -u ann:pw -X DELETE @S/items/7", "curl @A @S/reports/sales.csv",
		"curl @A @S/hooks", "curl -H 'Authorization: Token t' @S/items/7", "curl --digest -u ann:pw @S/items", "curl --oauth2-bearer t @S/reports/sales.csv", "curl -u ann:pw @S/hooks",
	},
}

// clean are commands that keep to the document, or of which nobody can say.
var clean = []string{
	"curl @A @S/items", "curl @A '@S/items?limit=100&sort=-price&tag=a&tag=b&ids=1,2,3&sold=true'", "curl @A -G -d limit=3 @S/items", "curl @A '@S/items?filter[color]=red'",
	"curl @A @S/items/7", "curl @A -I @S/items/7", "curl @A -X DELETE @S/items/7", "curl @A https://eu.shop.test/v1/items/", "curl @A -X OPTIONS @S/items",
	"curl @A @J -d '{\"name\":\"Cup\",\"price\":1,\"size\":null,\"parts\":[],\"cover\":{\"of\":\"cloth\",\"red\":true}}' @S/items", "curl @A --json '{\"name\":\"Cup\",\"price\":1}' @S/items",
	"curl @A -H 'Content-Type: application/json; charset=utf-8' -d '{\"name\":\"Cup\",\"price\":1}' @S/items", "curl @A @M -X PATCH -d '{\"price\":2}' @S/items/7",
	"curl @A -X PUT -H 'Content-Type: image/png' --data-binary @a.png @S/items/7/picture", "curl @A -T a.png @S/items/7/picture", "curl @A -F file=@a.png -F kind=front -F order=2 @S/items/7/picture",
	"curl @A @Q '@S/search?q=cup&page=2'", "curl @A -d 'item=1&gift=true&size=s' @S/orders", "curl -u ann:pw @S/reports/sales.csv", "curl -H 'X-Key: k' @S/reports/sales.csv",
	"curl '@S/hooks?token=t'", "curl @S/status", "curl @A @J -d @item.json @S/items",
	// Placeholders, and what only the shell would know.
	"curl @A @S/items \"${more[@]}\"", "curl @A -X PUT @S/items/7/picture -T a.png $OPTS", "curl -X PUT \"$URL\"",
	// Other programs on the host of the document.
	"curl @A https://api.shop.test/graphql", "curl @A https://api.shop.test/v2/", "curl @A https://api.shop.test/$VERSION/items",
	"curl -H 'Authorization: Bearer $TOKEN' '@S/items/{id}'", "curl -H \"Authorization: $AUTH\" @S/items/$ID", "curl @A '@S/items/<id>'", "curl @A @S/items/:id", "curl @A '@S/items?limit={limit}&sort=<sort>'",
	"curl @A \"@S/items?$QUERY\"", "curl @A @J -d '{\"name\":\"Cup\",\"price\":\"<price>\",\"kind\":\"YOUR_KIND\"}' @S/items", "curl @A @J -d \"{\\\"name\\\":\\\"$NAME\\\",\\\"price\\\":$PRICE}\" @S/items",
	"curl @A @J -d '{\"name\":\"Cup\",\"...\":\"...\"}' @S/items", "curl -n @S/items", "curl @A @S/reports/$NAME.csv -H 'X-Key: k'", "curl @A -d 'item=$ITEM&size={size}' @S/orders",
	"curl @A $BASE/items/7", "curl $BASE/v1/items/7", "curl @A 'https://{host}/v1/items/7'", "curl @A @S/items/...", "curl @A -X POST @S/$NAME", "curl @A -X PATCH '@S/items/7/{part}'",
	// A URL that curl rejects, and that is read as it may be meant.
	"curl @A \"@S/items   ?limits=3\"",
	// Servers that the document does not name.
	"curl https://www.shop.test/v1/none", "curl https://api.shop.test/v2/none", "curl http://localhost:8080/v1/none", "curl $HOST/none", "curl https://api.shop.test.evil.test/v1/none",
}
