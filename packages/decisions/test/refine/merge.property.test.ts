import type { CompletionModel } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Candidate } from '../../src/candidates/candidate.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { l1Clauses } from '../../src/render/l1-clauses.ts'
import { checkEvents } from '../../src/verify/check-events.ts'
import { createConversation } from '../resolve/conversation.ts'
import { judge } from './judge.ts'

const WORDS = ['uploads', 'retries', 'pages', 'cached', 'five', 'redis', 'hour', 'logs']
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '))
const fact = fc.record({ isUsers: fc.boolean(), l0: words, detail: fc.option(words, { nil: undefined }) })
const verdict = fc.record({
  verdict: fc.constantFrom('CREATE', 'MERGE', 'MERGE', 'MERGE', 'SKIP', 'DELETE'),
  /** Which of the ids that the prompt names, or a number. */
  pick: fc.nat(6),
  asNumber: fc.boolean(),
})

/** A model that answers with drawn verdicts about whatever it is shown. */
function drawnModel(
  verdicts: readonly (typeof verdict extends fc.Arbitrary<infer T> ? T : never)[],
): CompletionModel {
  let next = 0
  return {
    name: 'drawn',
    async complete({ prompt }) {
      const count = prompt.match(/<candidate number=/g)?.length ?? 0
      const ids = [...prompt.matchAll(/\[(d[0-9a-f]{12})\]/g)].map(([, id]) => id)
      const answers = Array.from({ length: count }, (_, index) => {
        const { verdict = 'SKIP', pick = 0, asNumber = false } = verdicts[next++ % verdicts.length] ?? {}
        return { candidate: index + 1, verdict, with: asNumber ? pick : ids[pick % ids.length] }
      })
      return { text: JSON.stringify({ verdicts: answers }), finishReason: 'stop' }
    },
  }
}

it('makes a log that says the same when it is read again, with every quote in its place and every claim marked, whatever is merged', async () => {
  let merges = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fact, { minLength: 2, maxLength: 20, size: 'max' }),
      fc.array(verdict, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (facts, verdicts, size, batch) => {
        const compare = batch ? 'similar' : 'category'
        const talk = createConversation({ by: 'model', compare })
        const candidates = facts.map(({ isUsers, l0, detail }, index): Candidate => {
          // A word that only the assistant's details have.
          const l1 =
            detail === undefined || batch
              ? {}
              : { l1: isUsers ? `- ${detail}` : `- claimed${index} ${detail}` }
          const span = talk.say(2 * index + (isUsers ? 0 : 1), `${l0}.`, isUsers ? 'user' : 'assistant')
          const base = {
            slot: `fact:${l0.replaceAll(' ', '-')}`,
            area: '',
            choice: l0,
            l0,
            entities: [],
            ...l1,
          }
          const choice = { ...base, category: 'behavior' as const, cardinality: 'many' as const }
          return isUsers
            ? { kind: 'assert', span, choice, isChange: false }
            : { kind: 'propose', span, choice, isChange: false }
        })
        const model = drawnModel(verdicts)
        for (let from = 0; from < candidates.length; from += size) {
          const { residue } = talk.resolve(...candidates.slice(from, from + size))
          talk.ledger.append((await judge({ model, residue, context: talk.context, batch })).events)
        }
        const { events, all } = talk.ledger
        merges += events.filter(({ type }) => type === 'merged').length
        expect(createDecisionLedger(events).all).toEqual(all)
        expect(checkEvents(events, talk.context.messageAt).faults).toEqual([])
        for (const decision of all) {
          if (decision.status !== 'active') continue
          // What holds rests on the user's own words, and what the assistant adds says so.
          expect(decision.sources.some(({ role }) => role === 'user')).toBe(true)
          for (const { text, note } of l1Clauses(decision))
            if (text.startsWith('claimed')) expect(note).toBe('said by the assistant, not confirmed')
        }
      },
    ),
    { numRuns: 200 },
  )
  console.log(`${merges} merges`)
  expect(merges).toBeGreaterThan(200)
})
