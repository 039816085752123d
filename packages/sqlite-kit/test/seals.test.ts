import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import {
  brokenRows,
  checkFile,
  createSql,
  insertSealed,
  SEAL_COLUMN,
  type SealedTable,
  sealTables,
} from '../src/index.ts'

const NOTES: SealedTable = { table: 'note', key: ['no'], columns: ['no', 'at', 'text', 'data'] }
const TAGS: SealedTable = {
  table: 'tag',
  key: ['note', 'name'],
  columns: ['note', 'name'],
  comesSealed: true,
}

/** Two sealed tables with a row each. */
function open() {
  const database = new DatabaseSync(':memory:')
  const sql = createSql(database)
  sql.exec(`
    CREATE TABLE note (no INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT, data BLOB, ${SEAL_COLUMN});
    CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note (no), name TEXT NOT NULL, ${SEAL_COLUMN}, PRIMARY KEY (note, name)) WITHOUT ROWID;
    ${sealTables([NOTES, TAGS])}
    INSERT INTO note (no, at, text, data) VALUES (1, 1.5, 'old', x'00ff');`)
  insertSealed(sql, TAGS, { note: 1, name: 'old' })
  return { database, sql }
}

/** A change that no trigger sees, as a broken disk makes it. */
function tamper({ sql }: ReturnType<typeof open>, statement: string): void {
  const triggers = sql.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  )
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${name}`)
  sql.exec(statement)
  for (const { sql: made } of triggers) sql.exec(made)
}

const rowsOf = ({ sql }: ReturnType<typeof open>) => brokenRows(sql).map(({ message }) => message)

describe('the seal of a row', () => {
  it('holds for rows that were there, that come, and that are changed', () => {
    const opened = open()
    const { sql } = opened
    sql.run(
      'INSERT INTO note (at, text, data) VALUES (?, ?, ?)',
      2,
      'new \u6f22 \u{1f600}',
      new Uint8Array([1, 2]),
    )
    sql.run('INSERT INTO note (no, at, text) VALUES (?, ?, ?)', 2 ** 53, -0, null)
    sql.run('UPDATE note SET at = ? WHERE no = 1', 2 ** 60)
    sql.run(
      "INSERT INTO note (no, at) VALUES (1, 7) ON CONFLICT DO UPDATE SET text = 'both', at = excluded.at",
    )
    insertSealed(sql, TAGS, { note: 2, name: 'x' })
    insertSealed(sql, TAGS, { note: 2 ** 53, name: 'large' })
    sql.run("UPDATE tag SET name = 'y' WHERE name = 'x'")
    expect(rowsOf(opened)).toEqual([])
  })

  it.each([
    ['a letter', "UPDATE note SET text = 'olD'", 'A row of note (no 1) is not what was stored.'],
    ['a number', 'UPDATE note SET at = 1.25', 'A row of note (no 1) is not what was stored.'],
    ['a byte', "UPDATE note SET data = x'00fe'", 'A row of note (no 1) is not what was stored.'],
    [
      'nothing in the place of something',
      'UPDATE note SET text = NULL',
      'A row of note (no 1) is not what was stored.',
    ],
    ['a key', "UPDATE tag SET name = 'olD'", 'A row of tag (note 1, name olD) is not what was stored.'],
    [
      'the seal itself',
      "UPDATE tag SET seal = x'00'",
      'A row of tag (note 1, name old) is not what was stored.',
    ],
    [
      'a row without a seal',
      "INSERT INTO tag (note, name) VALUES (1, 'b')",
      'A row of tag (note 1, name b) is not what was stored.',
    ],
  ])('is broken by %s that changed', (_, statement, message) => {
    const opened = open()
    tamper(opened, statement)
    expect(rowsOf(opened)).toEqual([message])
  })

  it('is not made anew for a row that changed', () => {
    const opened = open()
    tamper(opened, 'UPDATE note SET at = 3')
    const update = () => opened.sql.run("UPDATE note SET text = 'later'")
    expect(update).toThrow('a row of note is not what was stored')
    expect(rowsOf(opened)).toHaveLength(1)
  })
})

it('a row that refers to nothing, and tables that nothing vouches for, are faults of a file', () => {
  const { sql } = open()
  sql.exec('PRAGMA foreign_keys = OFF; DELETE FROM note')
  expect(checkFile(sql)).toEqual([
    { code: 'dangling-reference', message: 'A row of tag refers to a note that is missing.' },
    { code: 'changed-schema', message: 'A table, an index or a trigger is not what was made.' },
  ])
})
