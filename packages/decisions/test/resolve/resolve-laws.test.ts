import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/candidates/candidate.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { MAX_CONFIRMATIONS } from '../../src/resolve/settle-statement.ts'
import { choose, createConversation } from './conversation.ts'

/** A candidate before it has a place in a conversation. */
const drafts = fc.record({
  kind: fc.constantFrom(
    'state',
    'state',
    'state',
    'change',
    'replace',
    'propose',
    'accept',
    'retract',
    'remark',
  ),
  slot: fc.constantFrom('datastore', 'cache', 'setting:retries', 'library', 'rule:style', 'name:a', 'orm'),
  value: fc.constantFrom(
    'Postgres',
    'postgresql',
    'MySQL',
    'Redis',
    '3',
    'a',
    'b',
    'never use tabs',
    'Prisma',
  ),
  old: fc.constantFrom('Postgres', 'MySQL', 'Redis', 'a', 'b'),
  area: fc.constantFrom('', '', '', 'analytics', 'billing'),
})
type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never
type Conversation = ReturnType<typeof createConversation>

/** The candidate of a draft, said in the message of an index: even ones are the user's. */
function place({ kind, slot, value, old, area }: Draft, index: number, { say }: Conversation): Candidate {
  const users = say(2 * index, `${kind} ${slot} ${value}`)
  const choice = choose({ slot, choice: value, area })
  if (kind === 'remark') return { kind, span: users, slots: [slot], isDoubt: area === '' }
  if (kind === 'retract') return { kind, span: users, slot, area, value }
  const own = say(2 * index + 1, `I did ${value}`, 'assistant')
  if (kind === 'propose') return { kind, span: own, choice, isChange: false }
  if (kind === 'accept') {
    const proposals = index === 0 ? [] : [{ message: 2 * index - 1, start: 0, end: 5 }]
    return { kind, span: users, choices: [choice], proposals, isChange: false }
  }
  const isChange = kind === 'change'
  return {
    kind: 'assert',
    span: users,
    choice,
    isChange,
    ...(kind === 'replace' && { replaces: old }),
  }
}

const dialogues = fc.array(drafts, { minLength: 1, maxLength: 40, size: 'max' })

describe('resolving', () => {
  it('adds nothing the second time, read in parts or whole', () => {
    fc.assert(
      fc.property(dialogues, fc.nat(40), (dialogue, cut) => {
        const conversation = createConversation()
        const candidates = dialogue.map((draft, index) => place(draft, index, conversation))
        conversation.resolve(...candidates.slice(0, cut))
        conversation.resolve(...candidates.slice(cut))
        const before = conversation.ledger.events.length
        conversation.resolve(...candidates)
        for (const candidate of candidates) conversation.resolve(candidate)
        expect(conversation.ledger.events.slice(before)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('does not depend on the order in which one reading is handed in', () => {
    const orders = dialogues.chain((dialogue) =>
      fc.tuple(
        fc.constant(dialogue),
        fc.shuffledSubarray(
          dialogue.map((_, index) => index),
          { minLength: dialogue.length },
        ),
      ),
    )
    fc.assert(
      fc.property(orders, ([dialogue, order]) => {
        const [first, second] = [createConversation(), createConversation()]
        const candidates = dialogue.map((draft, index) => place(draft, index, first))
        dialogue.map((draft, index) => place(draft, index, second))
        first.resolve(...candidates)
        second.resolve(...order.flatMap((index) => candidates[index] ?? []))
        expect(second.ledger.all).toEqual(first.ledger.all)
      }),
      { numRuns: 100 },
    )
  })

  it('makes the same set of decisions of independent candidates, in whichever order they come', () => {
    const independent = fc.uniqueArray(drafts, {
      size: 'max',
      selector: ({ slot }) => slot.replace(/^orm$/, 'datastore'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(independent, (dialogue) => {
        const [first, second] = [createConversation(), createConversation()]
        const simple = dialogue.map((draft) => ({
          ...draft,
          kind: 'state' as const,
          value: 'MySQL' as const,
        }))
        const candidates = simple.map((draft, index) => place(draft, index, first))
        for (const candidate of candidates) first.resolve(candidate)
        simple.map((draft, index) => place(draft, index, second))
        for (const candidate of candidates.toReversed()) second.resolve(candidate)
        const ids = ({ ledger }: Conversation) => ledger.all.map(({ id, status }) => `${id} ${status}`).sort()
        expect(ids(second)).toEqual(ids(first))
      }),
    )
  })

  it('leaves exactly one value of a single-valued slot behind words of change', () => {
    let changes = 0
    fc.assert(
      fc.property(dialogues, (dialogue) => {
        const conversation = createConversation()
        dialogue.forEach((draft, index) => {
          conversation.resolve(place(draft, index, conversation))
          if (draft.kind !== 'change' || draft.slot === 'library' || draft.slot.startsWith('rule:')) return
          changes++
          const standing = conversation.ledger
            .ofSlot(draft.slot)
            .filter(({ status, area }) => status === 'active' && area === draft.area)
          // An area for which the choice of the whole project was just confirmed needs none of its own.
          const wide = conversation.ledger
            .ofSlot(draft.slot)
            .filter(({ status, area }) => status === 'active' && area === '')
          expect(standing.length).toBeLessThanOrEqual(1)
          expect(standing.length + wide.length).toBeGreaterThan(0)
          expect(standing[0]?.contestedBy ?? []).toEqual([])
        })
      }),
      { numRuns: 150 },
    )
    console.log(`words of change that were checked: ${changes}`)
    expect(changes).toBeGreaterThan(100)
  })

  it('loses nothing that was begun, and no chain of supersession comes back', () => {
    fc.assert(
      fc.property(dialogues, (dialogue) => {
        const conversation = createConversation()
        const seen = new Set<string>()
        dialogue.forEach((draft, index) => {
          conversation.resolve(place(draft, index, conversation))
          for (const { id } of conversation.ledger.all) seen.add(id)
        })
        const { all, get } = conversation.ledger
        expect(all.map(({ id }) => id).sort()).toEqual([...seen].sort())
        for (const { id } of all) {
          const behind = new Set<string>()
          for (const link of get(id)?.supersededBy ?? []) behind.add(link.id)
          for (const next of behind) for (const link of get(next)?.supersededBy ?? []) behind.add(link.id)
          expect(behind.has(id)).toBe(false)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('writes only events with words that stand in the transcript, and a log that can be read again', () => {
    fc.assert(
      fc.property(dialogues, (dialogue) => {
        const conversation = createConversation()
        conversation.resolve(...dialogue.map((draft, index) => place(draft, index, conversation)))
        for (const event of conversation.ledger.events) {
          if (event.type === 'withdrawn') throw new Error('nobody withdrew anything')
          const { message, start, end, quote } = event.source
          expect(quote.trim()).not.toBe('')
          expect(conversation.texts.get(message)?.text.slice(start, end)).toBe(quote)
        }
        expect(createDecisionLedger(conversation.ledger.events).all).toEqual(conversation.ledger.all)
      }),
    )
  })
})

describe('4,000 candidates', () => {
  const random = (seed: number) => fc.sample(drafts, { numRuns: 4_000, seed })

  it('of statements make a log that grows with what is said, not with how often', () => {
    const conversation = createConversation()
    random(1).forEach((draft, index) => {
      conversation.resolve(place({ ...draft, kind: 'state' }, index, conversation))
    })
    const { all, events } = conversation.ledger
    console.log(`4,000 statements: ${all.length} decisions, ${events.length} events`)
    const marks = all.reduce((sum, { supersededBy }) => sum + supersededBy.length, 0)
    expect(events.length).toBeLessThanOrEqual(all.length * (1 + MAX_CONFIRMATIONS + 3) + marks)
    expect(events.length).toBeLessThan(2_000)
  })

  it('of every kind make at most an event for what they begin, take up and end, and the marks of areas', () => {
    const conversation = createConversation()
    random(2).forEach((draft, index) => {
      conversation.resolve(place(draft, index, conversation))
    })
    const { all, events } = conversation.ledger
    const count = (type: string): number => events.filter((event) => event.type === type).length
    const ends = all.filter(({ ended }) => ended !== undefined).length
    const marks = all
      .flatMap(({ supersededBy }) => supersededBy)
      .filter(({ area }) => area !== undefined).length
    console.log(`4,000 candidates: ${all.length} decisions, ${events.length} events, ${marks} marks of areas`)
    expect(count('asserted') + count('proposed')).toBe(all.length)
    expect(count('superseded') + count('retracted')).toBe(ends + marks)
    expect(all.length).toBeLessThanOrEqual(4_000)
    expect(events.length).toBeLessThanOrEqual(4_000 + ends + marks + count('accepted'))
  })
})
