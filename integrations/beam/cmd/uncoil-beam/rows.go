package main

import (
	"encoding/json"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/avroio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/parquetio"
)

func init() {
	beam.RegisterType(reflect.TypeFor[commandRow]())
	beam.RegisterType(reflect.TypeFor[answerRow]())
	beam.RegisterDoFn(&commandRowFn{})
	beam.RegisterDoFn(&answerRowFn{})
	beam.RegisterDoFn(&answerRecordFn{})
}

// A commandRow is a row of Parquet to read.
type commandRow struct {
	ID   string `json:"id" parquet:"name=id, type=BYTE_ARRAY, convertedtype=UTF8"`
	Curl string `json:"curl" parquet:"name=curl, type=BYTE_ARRAY, convertedtype=UTF8"`
}

// readParquet returns a PCollection<string> of lines, one for each row with the
// columns id and curl.
func readParquet(s beam.Scope, pattern string) beam.PCollection {
	rows := parquetio.Read(s, pattern, reflect.TypeFor[commandRow]())
	return beam.ParDo(s, &commandRowFn{}, rows)
}

type commandRowFn struct{}

func (*commandRowFn) ProcessElement(row commandRow) (string, error) {
	line, err := json.Marshal(row)
	return string(line), err
}

// readAvro returns a PCollection<string> of the records in JSON: their fields are
// the members of a line.
func readAvro(s beam.Scope, pattern string) beam.PCollection {
	return avroio.Read(s, pattern, reflect.TypeFor[string]())
}

// An answerRow is a row of Parquet, or a record of Avro, to write.
type answerRow struct {
	Answer string `json:"answer" parquet:"name=answer, type=BYTE_ARRAY, convertedtype=UTF8"`
}

type answerRowFn struct{}

func (*answerRowFn) ProcessElement(answer string) answerRow { return answerRow{answer} }

// writeParquet writes answers as rows with one column.
func writeParquet(s beam.Scope, name string, answers beam.PCollection) {
	parquetio.Write(s, name, beam.ParDo(s, &answerRowFn{}, answers))
}

// answerSchema is that of an answerRow in Avro.
const answerSchema = `{"type":"record","name":"Answer","fields":[{"name":"answer","type":"string"}]}`

type answerRecordFn struct{}

func (*answerRecordFn) ProcessElement(answer string) (string, error) {
	record, err := json.Marshal(answerRow{answer})
	return string(record), err
}

// writeAvro writes answers as records with one field.
func writeAvro(s beam.Scope, prefix string, shards int, answers beam.PCollection) {
	avroio.Write(s, prefix, answerSchema, beam.ParDo(s, &answerRecordFn{}, answers), avroio.WithNumShards(shards))
}
