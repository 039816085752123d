import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCsv, parseCsv } from '../src/csv.ts'

describe('parseCsv', () => {
  it('splits rows and fields', () => {
    assert.deepEqual(parseCsv('a,b\n1,2\n'), [['a', 'b'], ['1', '2']])
  })

  it('takes the last row without a line break', () => {
    assert.deepEqual(parseCsv('a,b\n1,2'), [['a', 'b'], ['1', '2']])
  })

  it('keeps commas, quotes and line breaks inside quotes', () => {
    assert.deepEqual(parseCsv('"Livraria ""O Cais"", Lda","two\nlines"\n'), [
      ['Livraria "O Cais", Lda', 'two\nlines'],
    ])
  })

  it('drops the carriage return of a Windows file', () => {
    assert.deepEqual(parseCsv('a,b\r\n1,2\r\n'), [['a', 'b'], ['1', '2']])
  })

  it('refuses a quote that is never closed', () => {
    assert.throws(() => parseCsv('a,"b\n'), { code: 'bad-csv' })
  })
})

describe('formatCsv', () => {
  it('is read back as it was', () => {
    const rows = [['name', 'note'], ['Livraria "O Cais", Lda', 'two\nlines'], ['', 'plain']]
    assert.deepEqual(parseCsv(formatCsv(rows)), rows)
  })
})
