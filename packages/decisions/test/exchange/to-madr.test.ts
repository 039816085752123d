import { describe, expect, it } from 'vitest'
import { readSeal, toMadr } from '../../src/exchange/index.ts'
import { choiceOf, shopTalk, startTalk } from './say.ts'

const { talk, ids } = shopTalk()
const files = toMadr(talk.ledger)
const textOf = (name: string) => files.find(({ fileName }) => fileName === name)?.text ?? ''

describe('records of a project', () => {
  it('are a file for each decision, numbered in the order in which they were made', () => {
    expect(files.map(({ fileName }) => fileName)).toEqual([
      '0001-datastore-postgresql.md',
      '0002-auth-jwt.md',
      '0003-datastore-mysql.md',
      '0004-datastore-clickhouse.md',
      '0005-cache-redis.md',
    ])
  })

  it('look as MADR 4 says, with what was chosen, why, and where it was said', () => {
    expect(textOf('0003-datastore-mysql.md').replace(/palimpsest \w{64} -->/, 'seal')).toBe(`---
status: accepted
date: 2026-01-08
---

# datastore: MySQL

## Context and Problem Statement

What holds for datastore?

## Considered Options

* MySQL
* PostgreSQL

## Decision Outcome

Chosen option: "MySQL", because the hosting has no "other" \\<database>.

## More Information

* Slot: datastore
* Decision: ${ids.mysql.decision}, stated
* Supersedes [ADR-0001](0001-datastore-postgresql.md)
* Superseded in "analytics" by [ADR-0004](0004-datastore-clickhouse.md)

Said by the user in session s1, turn 2, message 3:

> We use MySQL for datastore.

<!-- seal
`)
  })

  it('say which one took the place of which, and what was given up', () => {
    const status = files.map(({ text }) => /^status: (.*)$/m.exec(text)?.[1])
    expect(status).toEqual(['superseded by ADR-0003', 'accepted', 'accepted', 'accepted', 'deprecated'])
    expect(textOf('0005-cache-redis.md')).toContain(
      '* It no longer holds (retracted), because it was too slow',
    )
    expect(textOf('0001-datastore-postgresql.md')).toContain('* [ADR-0002](0002-auth-jwt.md) rests on it')
    expect(textOf('0002-auth-jwt.md')).toContain(
      '* Suspect, because it rests on something that is over: [ADR-0001]',
    )
  })

  it('leave out settings and proposals, unless all is asked for', () => {
    const all = toMadr(talk.ledger, { all: true })
    const more = all
      .slice(5)
      .map(({ text }) => [/^# (.*)$/m.exec(text)?.[1], /^status: (.*)$/m.exec(text)?.[1]])
    expect(more).toEqual([
      ['message-queue: Kafka', 'proposed'],
      ['setting:max-retries: 5', 'accepted'],
    ])
  })

  it('keep the files that they have, and get numbers behind the others', () => {
    const existing = [
      { fileName: '0002-store-of-orders.md', decision: ids.mysql.decision },
      { fileName: '0007-written-by-hand.md' },
      { fileName: 'index.md' },
    ]
    const kept = toMadr(talk.ledger, { existing })
    expect(kept.map(({ fileName }) => fileName)).toEqual([
      '0002-store-of-orders.md',
      '0008-datastore-postgresql.md',
      '0009-auth-jwt.md',
      '0010-datastore-clickhouse.md',
      '0011-cache-redis.md',
    ])
    expect(kept[1]?.text).toContain('* Superseded by [ADR-0002](0002-store-of-orders.md)')
  })

  it('show rivals that nobody decided between', () => {
    const rivals = startTalk()
    rivals.assert(choiceOf('datastore', 'MySQL'))
    rivals.assert(choiceOf('datastore', 'SQLite'))
    const [mysql, sqlite] = toMadr(rivals.ledger)
    expect(mysql?.text).toContain(
      '* Contested, not settled which one holds: [ADR-0002](0002-datastore-sqlite.md)',
    )
    expect(sqlite?.text).toContain('not settled which one holds: [ADR-0001](0001-datastore-mysql.md)')
  })

  it('have names of files that every system takes, whatever was decided', () => {
    const odd = startTalk()
    odd.assert(choiceOf('datastore', '../../etc/passwd'))
    odd.assert(choiceOf('数据库', '港口', { l0: '港口' }))
    odd.assert(choiceOf('x', 'a'.repeat(5_000), { l0: 'b'.repeat(5_000) }))
    for (const { fileName } of toMadr(odd.ledger)) expect(fileName).toMatch(/^\d{4}-[a-z0-9-]{1,60}\.md$/)
  })

  it('let nothing that was said become markdown, front matter or a comment', () => {
    const odd = startTalk()
    const evil = 'x\n---\nstatus: rejected\n## Decision Outcome\n<!-- palimpsest --> <script> `a` [b](c)'
    odd.assert(choiceOf('datastore', evil, { reason: evil, l0: evil, area: evil }), evil)
    const [file] = toMadr(odd.ledger)
    expect(file?.text.match(/^---$/gm)).toHaveLength(2)
    expect(file?.text.match(/^## Decision Outcome$/gm)).toHaveLength(1)
    expect(file?.text.match(/(?<!\\)<(?:!--|script)/g)).toHaveLength(1)
  })
})

describe('the last line of a record', () => {
  it('says which decision it is of, and whether somebody has edited it', () => {
    const text = textOf('0002-auth-jwt.md')
    expect(readSeal(text)).toEqual({ decision: ids.jwt.decision, isUntouched: true })
    expect(readSeal(text.replaceAll('\n', '\r\n'))?.isUntouched).toBe(true)
    expect(readSeal(text.replace('JWT', 'Sessions'))?.isUntouched).toBe(false)
    expect(readSeal(`${text}More.\n`)).toEqual({ decision: ids.jwt.decision, isUntouched: false })
    expect(readSeal('# A record of mine\n')).toBeUndefined()
  })
})

it('says of a record what left it open', () => {
  const open = startTalk()
  const { decision } = open.assert(choiceOf('auth', 'JWT'))
  open.remark(decision)
  expect(toMadr(open.ledger)[0]?.text).toMatch(
    /\nLeft open by the user in session s1, turn 1, message 1:\n\n> I am not so sure about that\.\n/,
  )
})
