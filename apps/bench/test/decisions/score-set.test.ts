import { messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { type Label, type LabelledConversation, parseConversation } from '../../src/decisions/labelled-set.ts'
import { type Extractor, scoreSet } from '../../src/decisions/score-set.ts'
import { labelledParts } from './labelled-parts.ts'
import { createOracle, toCandidate } from './oracle.ts'

const set = labelledParts.flatMap(({ conversations }) => conversations)
const assert = (slot: string, value: string): Label => ({ kinds: ['assert'], slot, value })

/** A conversation in the words of a file. */
const talk = (...messages: readonly object[]): LabelledConversation =>
  parseConversation(JSON.stringify({ id: 'a', language: 'en', messages }))

describe('scoreSet on the labelled set', () => {
  it('gives an extractor that says what the labels say every point', () => {
    for (const measure of ['strict', 'value'] as const) {
      const score = scoreSet(createOracle(set), set, measure)
      expect(score.total).toMatchObject({ precision: 1, recall: 1, f1: 1 })
      for (const kind of Object.values(score.byKind)) expect(kind.f1).toBe(1)
      expect(score.failures).toEqual([])
    }
  })

  it('takes the other kind too where two are right, and only there', () => {
    const other = createOracle(set, ({ kinds }) => kinds.at(-1) ?? kinds[0])
    expect(scoreSet(other, set, 'strict').total.f1).toBe(1)
    const stated = createOracle(set, ({ kinds }) => (kinds[0] === 'accept' ? 'assert' : kinds[0]))
    expect(scoreSet(stated, set, 'strict').byKind.accept.recall).toBeLessThan(0.2)
    expect(scoreSet(stated, set, 'value').byKind.accept.recall).toBe(1)
  })

  it('gives an extractor that says nothing no recall, and no false alarm', () => {
    const { total, failures } = scoreSet(() => [], set, 'strict')
    expect(total).toMatchObject({ findings: 0, hits: 0, precision: null, recall: 0, f1: 0 })
    expect(failures.length).toBeGreaterThan(150)
  })

  it('lets an extractor that says every word find much and be right rarely', () => {
    const everyWord: Extractor = ({ index, message }) =>
      [...messageText(message).matchAll(/\S+/g)].map((match) =>
        toCandidate(assert('datastore', match[0].replace(/[.,;!?]$/, '')), 'assert', {
          message: index,
          start: match.index,
          end: match.index + match[0].length,
        }),
      )
    const { total, byKind } = scoreSet(everyWord, set, 'value')
    expect(byKind.assert.recall).toBeGreaterThan(0.4)
    expect(total.precision).toBeLessThan(0.1)
  })
})

describe('scoreSet', () => {
  const score = (conversation: LabelledConversation, extract: Extractor) => ({
    strict: scoreSet(extract, [conversation], 'strict'),
    value: scoreSet(extract, [conversation], 'value'),
  })
  const says =
    (...labels: readonly Label[]): Extractor =>
    ({ index, message }) =>
      message.role !== 'user'
        ? []
        : labels.map((label) =>
            toCandidate(label, label.kinds[0], {
              message: index,
              start: 0,
              end: messageText(message).length,
            }),
          )

  it('counts a right value in a wrong slot for the value, and as a miss and a false alarm when strict', () => {
    const { strict, value } = score(
      talk({ user: 'We use Redis.', labels: [{ assert: 'Redis', slot: 'cache' }] }),
      says(assert('datastore', 'Redis')),
    )
    expect(value.total).toMatchObject({ hits: 1, precision: 1, recall: 1 })
    expect(strict.total).toMatchObject({ hits: 0, labels: 1, findings: 1 })
  })

  it('reads values as people do: aliases, a unit, another name for a setting; but not another number', () => {
    const talked = talk({
      user: 'Postgres, 20 connections',
      labels: [
        { assert: 'Postgres', slot: 'datastore' },
        { assert: '20', slot: 'setting:pool' },
      ],
    })
    const right = says(assert('datastore', 'PostgreSQL'), assert('setting:connections', '20 connections'))
    expect(score(talked, right).strict.total.f1).toBe(1)
    expect(score(talked, says(assert('setting:pool', '200'))).value.total.hits).toBe(0)
  })

  it('finds a rule by its key phrase, a rename by its old name, and a slot that was given up whole', () => {
    const talked = talk({
      user: 'Never log passwords. Rename getUser to loadUser. Drop the lives.',
      labels: [
        { rule: 'log passwords' },
        { assert: 'loadUser', slot: 'name:getUser' },
        { retract: '', slot: 'setting:lives' },
      ],
    })
    const right = says(assert('rule:passwords', 'whatever it says'), assert('name:get-user', 'loadUser'), {
      kinds: ['retract'],
      slot: 'setting:lives',
      value: 'lives',
    })
    expect(score(talked, right).strict.total).toMatchObject({ hits: 3, f1: 1 })
    expect(score(talked, says(assert('name:set-user', 'loadUser'))).strict.total.hits).toBe(0)
  })

  it('counts what is optional neither as a miss nor as a false alarm', () => {
    const labels = [{ assert: 'Redis', slot: 'cache', optional: true }]
    const talked = talk({ user: 'Use SQLite, maybe Redis', labels })
    expect(score(talked, () => []).strict.total.labels).toBe(0)
    expect(score(talked, says(assert('cache', 'Redis'))).strict.total.findings).toBe(0)
    expect(score(talked, says(assert('cache', 'Memcached'))).strict.total.findings).toBe(1)
  })
})
