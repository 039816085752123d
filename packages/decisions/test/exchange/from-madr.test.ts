import { describe, expect, it } from 'vitest'
import { fromMadr, toMadr } from '../../src/exchange/index.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { hashText } from '../../src/log/hash-text.ts'
import { SCOPE, shopTalk } from './say.ts'

const NOW = Date.UTC(2026, 4, 1)

/** What files with these names amount to. */
function read(files: Readonly<Record<string, string>>) {
  const list = Object.entries(files).map(([fileName, text]) => ({ fileName, text }))
  const result = fromMadr(list, { scope: SCOPE, at: NOW })
  const { all } = createDecisionLedger(result.events)
  const brief = all.map(({ slot, choice, status }) => `${slot}: ${choice} (${status})`)
  return { ...result, all, brief, first: all[0] }
}

const MADR4 = `---
status: "accepted"
date: 2024-03-05
decision-makers: the team
---

# Use PostgreSQL for orders

## Context and Problem Statement

Where do orders live?

## Considered Options

* PostgreSQL
* MongoDB

## Decision Outcome

Chosen option: "PostgreSQL", because orders need
transactions, and we know it.

### Consequences

* Good, because it is boring
`

describe('a record that a person wrote', () => {
  it('in MADR 4: the choice, its slot, the reason, the date, and the sentence as the source', () => {
    const { first, brief, warnings } = read({ '0001-use-postgresql.md': MADR4 })
    expect({ brief, warnings }).toEqual({ brief: ['datastore: PostgreSQL (active)'], warnings: [] })
    expect(first).toMatchObject({
      authority: 'stated',
      by: 'import',
      scope: SCOPE,
      l0: 'Use PostgreSQL for orders',
      reason: 'orders need transactions, and we know it',
      firstAt: Date.UTC(2024, 2, 5),
    })
    const quote = 'Chosen option: "PostgreSQL", because orders need\ntransactions, and we know it.'
    const start = MADR4.indexOf(quote)
    expect(first?.sources).toEqual([
      {
        ...{ session: 'file:0001-use-postgresql.md', turn: 1, message: 0, role: 'user', edition: 0 },
        ...{ start, end: start + quote.length, quote, hash: hashText(quote) },
      },
    ])
  })

  it('in MADR 2: status and date as a list below the title', () => {
    const { brief, first } = read({
      '0002.md':
        '# Sign in with JWT\r\n\r\n* Status: **Proposed**\r\n* Date: 2020-02-29\r\n\r\n' +
        '## Decision Outcome\r\n\r\nChosen option: "[JWT](#jwt)", because it is simple.\r\n',
    })
    expect(brief).toEqual(['auth: JWT (proposed)'])
    expect(first).toMatchObject({
      authority: 'proposed',
      firstAt: Date.UTC(2020, 1, 29),
      reason: 'it is simple',
    })
  })

  it('in the style of Nygard: the status in a section, the decision as a sentence', () => {
    const { brief, first } = read({
      '0003-cache.md':
        '# 3. Cache sessions\n\nDate: 2019-07-01\n\n## Status\n\nAccepted\n\n## Context\n\nSlow.\n\n' +
        '## Decision\n\nWe will use Redis. It is fast.\n\n## Consequences\n\nOne more server.\n',
    })
    expect(brief).toEqual(['cache: Redis (active)'])
    expect(first).toMatchObject({ l0: 'Cache sessions: Redis', firstAt: Date.UTC(2019, 6, 1) })
    expect(first?.sources[0]?.quote).toBe('We will use Redis.')
  })

  it.each([
    ['without quotation marks', 'Chosen option: Redis, because it is fast.', 'cache: Redis'],
    ['in curly ones', 'Chosen option: “Redis”, because it is fast.', 'cache: Redis'],
    ['in bold', '**Chosen option**: **Redis** because it is fast', 'cache: Redis'],
    ['with the rejected one', 'We will use Redis instead of Memcached.', 'cache: Redis instead of Memcached'],
    ['in a list', '* We decided to use Redis.', 'cache: Redis'],
    [
      'of no known technology',
      'Chosen option: "Write it ourselves".',
      'adr:cache-of-ours: Write it ourselves',
    ],
  ])('with its choice %s', (_name, sentence, said) => {
    const { brief } = read({ '1.md': `# Cache of ours\n\n## Decision Outcome\n\n${sentence}\n` })
    expect(brief).toEqual([`${said} (active)`])
  })

  it.each([
    ['rejected', 'retracted', 'proposed'],
    ['deprecated', 'retracted', 'stated'],
    ['Draft', 'proposed', 'proposed'],
    ['in discussion with everybody', 'proposed', 'proposed'],
    ['superseded', 'retracted', 'stated'],
  ])('with the status %s is %s', (status, expected, authority) => {
    const { first } = read({ '1.md': MADR4.replace('"accepted"', status) })
    expect(first).toMatchObject({ status: expected, authority })
  })

  it('hides secrets before anything is kept', () => {
    const key = `sk-${'a1B2c3D4e5F6'.repeat(4)}`
    const { files, first } = read({ '1.md': MADR4.replace('we know it', `the key is ${key}`) })
    expect(JSON.stringify([files, first])).not.toContain(key)
  })
})

describe('records that replace each other', () => {
  const old = (status: string) =>
    `# 1. Store\n\n## Status\n\n${status}\n\n## Decision\n\nWe will use PostgreSQL.\n`
  const next = (status: string) =>
    `# 2. Store\n\n## Status\n\n${status}\n\n## Decision\n\nWe will use MySQL.\n`

  it.each([
    ['both say so', 'Superceded by [2. Store](0002-b.md)', 'Accepted\n\nSupercedes [1. Store](0001-a.md)'],
    ['only the old one does', 'Superseded by ADR-0002', 'Accepted'],
    ['only the new one does', 'Accepted', 'Accepted\n\nSupersedes [1. Store](0001-a.md)'],
    ['by a number', 'Superseded by 2', 'Accepted'],
  ])('are linked when %s', (_name, first, second) => {
    const { brief, all, warnings, events } = read({ '0001-a.md': old(first), '0002-b.md': next(second) })
    expect(brief).toEqual(['datastore: PostgreSQL (superseded)', 'datastore: MySQL (active)'])
    expect(all[1]?.supersedes.map(({ id }) => id)).toEqual([all[0]?.id])
    expect(all[0]?.ended?.source.quote).toMatch(/superse|superce/i)
    expect(events.filter(({ type }) => type === 'superseded')).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('also through front matter, in either order of the files', () => {
    const files = {
      '0002-b.md': next('Accepted'),
      '0001-a.md': MADR4.replace('"accepted"', 'superseded by [ADR-0002](./0002-b.md) # see there'),
    }
    expect(read(files).brief).toEqual(['datastore: PostgreSQL (superseded)', 'datastore: MySQL (active)'])
  })

  it('by a file that is not there count as given up, with a warning', () => {
    const { brief, warnings } = read({ '0001-a.md': old('Superseded by ADR-0009') })
    expect(brief).toEqual(['datastore: PostgreSQL (retracted)'])
    expect(warnings).toEqual([
      '0001-a.md: there is no record 9 to link to',
      '0001-a.md is superseded by nothing that is there; it counts as given up',
    ])
  })

  it('in a circle do not count, with a warning', () => {
    const { all, warnings } = read({
      '0001-a.md': old('Accepted\n\nSuperseded by ADR-2'),
      '0002-b.md': next('Accepted\n\nSuperseded by ADR-1'),
      '0003-c.md': old('Superseded by ADR-3').replace('1. Store', '3. Store'),
    })
    expect(all.flatMap(({ supersededBy }) => supersededBy)).toEqual([])
    expect(warnings.filter((warning) => /replace each other|replaces itself/.test(warning))).toHaveLength(3)
  })
})

describe('files that are no records', () => {
  it.each([
    ['binary', `# A\0\n## Decision\n\nUse Redis.`, /is no text/],
    ['huge', 'a'.repeat(300_000), /has 300000 characters/],
    ['empty', '', /says nowhere what was chosen/],
    ['a readme', '# Decisions\n\nThis folder has them.\n', /says nowhere what was chosen/],
    ['without a title', '## Decision\n\nWe use Redis.\n', /has no title/],
    [
      'the template',
      '# {short title}\n\n## Decision Outcome\n\nChosen option: "{title of option 1}", because {x}.\n',
      /says nowhere/,
    ],
    ['a heading in code', '# A\n\n```\n## Decision\n\nUse Redis.\n```\n', /says nowhere/],
  ])('%s: passed over with a warning', (_name, text, warning) => {
    const { events, files, warnings } = read({ 'x.md': text })
    expect({ events, files }).toEqual({ events: [], files: [] })
    expect(warnings).toEqual([expect.stringMatching(warning)])
  })

  it('do not keep the others from being read, and thousands of warnings become 200', () => {
    const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}.md`, '']))
    const { brief, warnings } = read({ ...files, '0001-a.md': MADR4 })
    expect(brief).toEqual(['datastore: PostgreSQL (active)'])
    expect(warnings).toHaveLength(201)
    expect(warnings.at(-1)).toBe('and 800 more like these')
  })

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['backticks and stars', '`*'.repeat(60_000)],
    ['spaces', `Chosen option: ${' '.repeat(120_000)}x`],
    ['colons', 'status:'.repeat(20_000)],
    ['headings', '# #\n'.repeat(40_000)],
    ['comments', '<!--'.repeat(40_000)],
    ['backslashes', `Chosen option: "${'\\'.repeat(120_000)}`],
    ['superseded', 'superseded by ADR-1 '.repeat(8_000)],
  ])('made of %s cost no more than others', (_name, text) => {
    const whole = `---\nstatus: ${text.slice(0, 60_000)}\n---\n# ${text.slice(0, 60_000)}\n## Decision Outcome\n${text}\n`
    expect(read({ 'x.md': whole }).events.length).toBeLessThan(4)
  })
})

describe('reading files again', () => {
  const read4 = (text: string, kept?: ReadonlyMap<string, { hash: string; edition: number }>) =>
    fromMadr([{ fileName: '1.md', text }], { scope: SCOPE, at: NOW, ...(kept && { kept }) })

  it('gives the same events', () => {
    const first = read4(MADR4)
    const kept = new Map([['file:1.md', { hash: first.files[0]?.source.hash ?? '', edition: 0 }]])
    expect(read4(MADR4, kept)).toEqual(first)
  })

  it('takes back what a changed file said before', () => {
    const first = read4(MADR4)
    const kept = new Map([['file:1.md', { hash: first.files[0]?.source.hash ?? '', edition: 0 }]])
    const second = read4(MADR4.replaceAll('PostgreSQL', 'SQLite'), kept)
    const withdrawal = second.files[0]?.withdrawal
    expect(withdrawal).toMatchObject({ session: 'file:1.md', from: 0, edition: 0 })
    const ledger = createDecisionLedger([
      ...first.events,
      ...(withdrawal ? [withdrawal] : []),
      ...second.events,
    ])
    expect(ledger.all.map(({ choice, status }) => `${choice} ${status}`)).toEqual(['SQLite active'])
    expect(ledger.all[0]?.sources[0]?.edition).toBe(1)
  })

  it('says again what unchanged files say of a changed one', () => {
    const next =
      '# 2. Store\n\n## Status\n\nAccepted\n\nSupersedes ADR-1\n\n## Decision\n\nWe will use MySQL.\n'
    const files = [
      { fileName: '0001-a.md', text: MADR4 },
      { fileName: '0002-b.md', text: next },
    ]
    const first = fromMadr(files, { scope: SCOPE, at: NOW })
    const kept = new Map(
      first.files.map(({ session, source }) => [session, { hash: source.hash, edition: 0 }]),
    )
    const edited = files.map((file) => ({
      ...file,
      text: file.text.replace('Where do orders', 'Where shall orders'),
    }))
    const second = fromMadr(edited, { scope: SCOPE, at: NOW, kept })
    const ledger = createDecisionLedger([
      ...first.events,
      ...second.files.flatMap(({ withdrawal }) => withdrawal ?? []),
      ...second.events,
    ])
    expect(ledger.all.map(({ choice, status }) => `${choice} ${status}`)).toEqual([
      'PostgreSQL superseded',
      'MySQL active',
    ])
  })
})

describe('records of what a conversation has decided', () => {
  const { talk, ids } = shopTalk()
  const into = (files: Readonly<Record<string, string>>) => {
    const list = Object.entries(files).map(([fileName, text]) => ({ fileName, text }))
    const result = fromMadr(list, { scope: SCOPE, at: NOW, decisions: talk.ledger })
    const ledger = createDecisionLedger([...talk.events, ...result.events])
    const again = fromMadr(list, { scope: SCOPE, at: NOW, decisions: ledger })
    expect(again.events.every(({ id }) => ledger.has(id))).toBe(true)
    return { ...result, ledger }
  }
  const mysql = MADR4.replaceAll('PostgreSQL', 'mysql')

  it('affirm it, in another spelling too, and do not decide it once more', () => {
    const { events, ledger } = into({ '1.md': mysql })
    expect(events.map(({ type, decision }) => [type, decision])).toEqual([['reaffirmed', ids.mysql.decision]])
    const decision = ledger.get(ids.mysql.decision)
    expect(decision).toMatchObject({ status: 'active', contestedBy: [] })
    expect(decision?.sources.map(({ session }) => session)).toEqual(['s1', 'file:1.md'])
  })

  it('say nothing new when they come back from an export as they are', () => {
    const files = Object.fromEntries(
      toMadr(talk.ledger, { all: true }).map(({ fileName, text }) => [fileName, text]),
    )
    const { events, files: read, unchanged, warnings } = into(files)
    expect({ events, read, warnings }).toEqual({ events: [], read: [], warnings: [] })
    expect(unchanged).toBe(Object.keys(files).length)
  })

  it('take the place of what they said when a person chooses something else in them', () => {
    const record = (slot: string) =>
      toMadr(talk.ledger, { all: true }).find(({ text }) => text.includes(`* Slot: ${slot}\n`))
    const { fileName = '', text = '' } = record('auth') ?? {}
    const edited = text.replace('Chosen option: "JWT"', 'Chosen option: "OAuth", because partners ask for it')
    const { events, ledger, warnings } = into({ [fileName]: edited })
    expect({ types: events.map(({ type }) => type), warnings }).toEqual({
      types: ['asserted', 'superseded'],
      warnings: [],
    })
    expect(ledger.get(ids.jwt.decision)).toMatchObject({ status: 'superseded', contestedBy: [] })
    expect(ledger.ofSlot('auth')).toMatchObject([
      { choice: 'OAuth', status: 'active', contestedBy: [], l0: expect.stringMatching(/^[^:]+: OAuth$/) },
    ])
  })

  it('link to others of the log, of which no file is imported', () => {
    const records = toMadr(talk.ledger)
    const { fileName = '', text = '' } = records.find((one) => one.decision === ids.mysql.decision) ?? {}
    const files = [{ fileName, text: text.replace('MySQL', 'MySQL 9') }]
    const shelf = records.filter((one) => one.fileName !== fileName)
    const { warnings, events } = fromMadr(files, { scope: SCOPE, at: NOW, decisions: talk.ledger, shelf })
    expect(warnings).toEqual([])
    expect(events.filter(({ decision }) => decision === ids.postgres.decision)).toEqual([])
  })

  it('end it or take it up when a person edits what was exported', () => {
    const records = toMadr(talk.ledger, { all: true })
    const edited = (slot: string, from: string, to: string) => {
      const { fileName = '', text = '' } = records.find(({ text }) => text.includes(`* Slot: ${slot}`)) ?? {}
      return into({ [fileName]: text.replace(from, to) }).ledger
    }
    expect(edited('auth', 'accepted', 'deprecated').get(ids.jwt.decision)?.status).toBe('retracted')
    expect(edited('message-queue', 'proposed', 'accepted').get(ids.kafka.decision)).toMatchObject({
      status: 'active',
      authority: 'stated',
    })
  })

  it('stand against it when they say something else', () => {
    const { ledger } = into({ '1.md': MADR4.replaceAll('PostgreSQL', 'SQLite') })
    expect(ledger.get(ids.mysql.decision)?.contestedBy).toHaveLength(1)
  })

  it('replace it when a record of it says so', () => {
    const { ledger } = into({
      '1.md': mysql.replace('"accepted"', 'superseded by ADR-2'),
      '2.md': MADR4.replaceAll('PostgreSQL', 'SQLite'),
    })
    expect(ledger.get(ids.mysql.decision)?.status).toBe('superseded')
    expect(ledger.ofSlot('datastore').map(({ choice }) => choice)).toContain('SQLite')
  })
})
