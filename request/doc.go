// Package request is the model of an HTTP request as curl would send it.
//
// Nothing here is lossy: header fields keep their order, case and duplicates,
// bodies keep their bytes, and every field names the option that set it. Decoded
// views (query pairs, form fields, form parts) accompany the exact bytes and
// never replace them. Strings hold bytes; they need not be UTF-8.
package request
