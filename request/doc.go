// Package request is the model of an HTTP request as curl would send it.
//
// Nothing here is lossy: header fields keep their order, case and duplicates,
// bodies keep their bytes, and every field says which option set it. Decoded
// views (query pairs, form fields, form parts) stand beside the exact bytes,
// never instead of them. Strings hold bytes; they need not be UTF-8.
package request
