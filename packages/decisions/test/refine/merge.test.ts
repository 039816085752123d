import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/candidates/candidate.ts'
import type { Decision } from '../../src/log/decision.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { l1Text } from '../../src/render/l1-clauses.ts'
import { MAX_MERGED } from '../../src/resolve/merge-statement.ts'
import { top } from '../render/renders.ts'
import { createConversation } from '../resolve/conversation.ts'
import { judge } from './judge.ts'
import { scriptedModel } from './scripted-model.ts'

type Conversation = ReturnType<typeof createConversation>

/** A fact as a model of the described system reads it in a message. */
function fact({ say }: Conversation, message: number, l0: string, l1?: string): Candidate {
  const isUsers = message % 2 === 0
  const span = say(message, `I say: ${l0}.`, isUsers ? 'user' : 'assistant')
  const choice = {
    ...{ slot: `fact:${l0.toLowerCase().replaceAll(' ', '-')}`, area: '', choice: l0, l0, entities: [] },
    ...{ category: 'behavior' as const, cardinality: 'many' as const, ...(l1 !== undefined && { l1 }) },
  }
  return isUsers
    ? { kind: 'assert', span, choice, isChange: false }
    : { kind: 'propose', span, choice, isChange: false }
}

const seedTalk = () => createConversation({ by: 'model', compare: 'category' })

/** Reads facts of one batch as the described system does: a call of the model for each that has neighbours. */
async function read(talk: Conversation, candidates: readonly Candidate[], ...answers: readonly unknown[]) {
  const { residue } = talk.resolve(...candidates)
  const model = scriptedModel(...answers)
  const { events, verdicts } = await judge({ model, residue, context: talk.context, batch: false })
  talk.ledger.append(events)
  expect(createDecisionLedger(talk.ledger.events).all).toEqual(talk.ledger.all)
  return { calls: model.calls, events, verdicts }
}

const merge = (decision: Pick<Decision, 'id'>) => ({ candidate: 1, verdict: 'MERGE', with: decision.id })
const shownOf = ({ ledger }: Conversation) => top(ledger.events, { session: 's' }).text

describe('a merge', () => {
  it('extends a fact of the assistant’s: both sources stay, and the detail is in L1', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried', '- `retry(upload)` in `src/up.ts`')])
    const first = talk.find('Uploads are retried')
    await read(
      talk,
      [fact(talk, 3, 'Retries wait twice as long each time', '- doubles from 200 ms')],
      merge(first),
    )
    expect(talk.ledger.all).toHaveLength(1)
    const whole = talk.find('Uploads are retried')
    expect(whole.sources.map(({ turn }) => turn)).toEqual([1, 2])
    expect(whole.status).toBe('proposed')
    expect(l1Text(whole)).toBe('- `retry(upload)` in `src/up.ts`\n- doubles from 200 ms')
    expect(shownOf(talk)).toContain(
      `## behavior\n- Uploads are retried [said by the assistant, not confirmed, turn 1; ${whole.id.slice(0, 8)}]\n` +
        '  - `retry(upload)` in `src/up.ts`\n  - doubles from 200 ms\n',
    )
  })

  it('keeps the line of a fact that has no detail of its own', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried')])
    await read(talk, [fact(talk, 3, 'Five retries at most')], merge(talk.find('Uploads are retried')))
    expect(l1Text(talk.find('Uploads are retried'))).toBe('- Five retries at most')
  })

  it('says a clause once, however often it is merged', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried', '- five times')])
    for (const message of [3, 5])
      await read(
        talk,
        [fact(talk, message, `Retries, point ${message}`, `- five times\n- detail ${message}`)],
        merge(talk.find('Uploads are retried')),
      )
    expect(l1Text(talk.find('Uploads are retried'))).toBe('- five times\n- detail 3\n- detail 5')
    expect(talk.find('Uploads are retried').sources).toHaveLength(3)
  })

  it('is not needed for the same line with another detail: that is added at once', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried', '- five times')])
    await read(talk, [fact(talk, 3, 'Uploads are retried', '- five times\n- with a pause')])
    expect(talk.ledger.all).toHaveLength(1)
    expect(l1Text(talk.find('Uploads are retried'))).toBe('- five times\n- with a pause')
    // The user says the line: it holds then, and what the assistant wrote below it is still a claim.
    await read(talk, [fact(talk, 4, 'Uploads are retried', '- after a second')])
    expect(talk.find('Uploads are retried')).toMatchObject({ status: 'active', authority: 'stated' })
    expect(l1Text(talk.find('Uploads are retried'))?.split('\n')).toEqual([
      '- five times (said by the assistant, not confirmed)',
      '- with a pause (said by the assistant, not confirmed)',
      '- after a second',
    ])
  })

  it('shows a claim of the assistant’s in what the user stated as a claim', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 0, 'Uploads are retried', '- always')])
    await read(
      talk,
      [fact(talk, 3, 'The queue is Redis', '- Redis 7')],
      merge(talk.find('Uploads are retried')),
    )
    expect(talk.find('Uploads are retried')).toMatchObject({ status: 'active', authority: 'stated' })
    expect(shownOf(talk)).toMatch(
      /- Uploads are retried \[user, turn 1; \w+\]\n {2}- always\n {2}- Redis 7 \(said by the assistant, not confirmed\)\n/,
    )
  })

  it('never makes a claim the user’s word: the user’s statement leads, and the claim is a clause of it', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads go through Redis five times', '- Redis 7')])
    const claim = talk.find('Uploads go through Redis five times')
    await read(talk, [fact(talk, 2, 'Uploads are retried', '- five times')], merge(claim))
    const own = talk.find('Uploads are retried')
    expect(own).toMatchObject({ status: 'active', authority: 'stated', supersedes: [{ id: claim.id }] })
    expect(own.sources.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(talk.find(claim.choice).status).toBe('superseded')
    const shown = shownOf(talk)
    expect(shown).toMatch(
      /- Uploads are retried \[user, turn 2; \w+\]\n {2}- five times\n {2}- Redis 7 \(said by the assistant, not confirmed\)\n/,
    )
    expect(shown.match(/Redis/g)).toHaveLength(1)
  })

  it('that is one too many for a fact is a fact of its own', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried')])
    for (let index = 0; index <= MAX_MERGED; index++)
      await read(
        talk,
        [fact(talk, 3 + 2 * index, `Point ${index} of retries`)],
        merge(talk.find('Uploads are retried')),
      )
    expect(talk.find('Uploads are retried').merged).toHaveLength(MAX_MERGED)
    expect(talk.find(`Point ${MAX_MERGED} of retries`).status).toBe('proposed')
  })

  it('is not asked for again when the same turns are read again', async () => {
    const talk = seedTalk()
    const [first, second] = [fact(talk, 1, 'Uploads are retried'), fact(talk, 3, 'Five retries at most')]
    await read(talk, [first])
    await read(talk, [second], merge(talk.find('Uploads are retried')))
    const before = talk.ledger.events.length
    const { calls } = await read(talk, [first, second], 'never asked')
    expect(calls).toEqual([])
    expect(talk.ledger.events).toHaveLength(before)
  })

  it('is gone when the host takes its message back', async () => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried')])
    await read(talk, [fact(talk, 3, 'Five retries at most')], merge(talk.find('Uploads are retried')))
    const scope = 'session:s' as const
    talk.ledger.append([{ type: 'withdrawn', id: 'e1', scope, at: 1, session: 's', from: 3, edition: 0 }])
    expect(talk.find('Uploads are retried')).toMatchObject({ merged: [], sources: [{ message: 1 }] })
  })
})

describe('a short word of the user’s', () => {
  const rule = (choice: string) => ({ slot: 'rule:x', choice, cardinality: 'many' as const })

  it('does not make all of a longer proposal the user’s', () => {
    const talk = createConversation()
    const long = 'Handlers validate input and send every error to Datadog'
    talk.resolve(talk.propose(1, long, rule(long)))
    talk.resolve(talk.state(2, 'Handlers validate input', rule('Handlers validate input')))
    const shown = shownOf(talk)
    expect(talk.active()).toEqual(['Handlers validate input'])
    expect(shown).toMatch(/Handlers validate input \[user, turn 2; /)
    expect(shown).toMatch(/Datadog" \(said by the assistant, not confirmed, turn 1\)/)
  })
})

describe('the facts of one batch', () => {
  it('are held against each other, one by one', async () => {
    const talk = seedTalk()
    const [a, b, c] = [
      fact(talk, 1, 'Uploads are retried'),
      fact(talk, 3, 'Pages are cached'),
      fact(talk, 5, 'Cached pages live an hour', '- `PAGE_TTL`'),
    ]
    const model = scriptedModel({ candidate: 1, verdict: 'CREATE' }, { candidate: 1, verdict: 'SKIP' })
    const { residue } = talk.resolve(a, b, c)
    expect(residue).toHaveLength(2)
    const judging = {
      ...model,
      complete: async (call: Parameters<typeof model.complete>[0]) => {
        await model.complete(call)
        const named = /\[(d\w{12})\] Pages are cached/.exec(call.prompt)?.[1]
        const verdict = named === undefined ? { verdict: 'CREATE' } : { verdict: 'MERGE', with: named }
        return { text: JSON.stringify({ candidate: 1, ...verdict }), finishReason: 'stop' as const }
      },
    }
    const { events } = await judge({ model: judging, residue, context: talk.context, batch: false })
    talk.ledger.append(events)
    expect(talk.ledger.all.map(({ choice }) => choice)).toEqual(['Uploads are retried', 'Pages are cached'])
    expect(l1Text(talk.find('Pages are cached'))).toBe('- `PAGE_TTL`')
  })

  it('are told from each other by their numbers, in one call for all of them', async () => {
    const known = createConversation()
    const rule = (choice: string) => ({ slot: `rule:${choice.length}`, choice, cardinality: 'many' as const })
    known.resolve(known.state(0, 'Write tests for every handler', rule('Write tests for every handler')))
    const found = createConversation({ ledger: known.ledger, by: 'model' })
    const texts = ['Write tests for every endpoint', 'Write tests for every endpoint and name them well']
    const { residue } = found.resolve(
      ...texts.map((text, index) => found.state(2 + 2 * index, text, rule(text))),
    )
    const model = scriptedModel({
      verdicts: [
        { candidate: 1, verdict: 'CREATE' },
        { candidate: 2, verdict: 'MERGE', with: '1' },
      ],
    })
    const { events } = await judge({ model, residue, context: found.context, batch: true })
    known.ledger.append(events)
    expect(model.calls).toHaveLength(1)
    expect(known.ledger.all.map(({ choice }) => choice)).toEqual(['Write tests for every handler', texts[0]])
    expect(known.ledger.all[1]?.sources.map(({ quote }) => quote)).toEqual(texts)
  })

  it.each([
    ['a later candidate', 2],
    ['itself', 1],
    ['nothing that is there', 'd000000000000'],
    ['an object’s key', '__proto__'],
  ])('are skipped when a merge names %s', async (_, named) => {
    const talk = seedTalk()
    await read(talk, [fact(talk, 1, 'Uploads are retried'), fact(talk, 3, 'Pages are cached')], {
      candidate: 1,
      verdict: 'CREATE',
    })
    const before = talk.ledger.events.length
    const { events, verdicts } = await read(talk, [fact(talk, 5, 'Logs are kept')], {
      candidate: 1,
      verdict: 'MERGE',
      with: named,
    })
    expect(events).toEqual([])
    expect(verdicts).toEqual(['MERGE'])
    expect(talk.ledger.events).toHaveLength(before)
  })
})
