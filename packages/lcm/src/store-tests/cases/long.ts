import { deepEqual } from 'node:assert/strict'
import type { CandidateQuery } from '../../store/lcm-session.ts'
import { commit, compactTo, leaf, numbersOf, seal } from '../harness/summaries.ts'
import { AT, talk, texts, userMessage, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const ALL = { order: 'oldest', limit: 100_000 } as const
const EVERY_TEXT: CandidateQuery = { ...ALL, where: [[{ kind: 'word', text: 'text' }]] }

/** Nothing may be cut short without a word. */
export const longCases: readonly StoreCase[] = [
  {
    id: 'S23',
    title: 'gives out all of a long session, in one answer if need be',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const said = texts(1_300)
      const seqs = [...said.keys()]
      const messages = userMessages(...said)
      await session.append({ nextSeq: 0, messages: messages.slice(0, 1_050), at: AT })
      await session.append({ nextSeq: 1_050, messages: messages.slice(1_050), at: AT })
      const first = await leaf(session, 1, 0, 0, 'text 0')
      const create = seqs
        .slice(0, 110)
        .map((seq) => seal({ ...first, number: seq + 1, first: seq, last: seq }))
      const numbers = create.map(({ number }) => number)
      await commit(session, create, numbers)
      deepEqual(numbersOf(await session.frontier()), numbers)
      await commit(session, [], [])
      const answers = {
        messages: await session.messages({ limit: 100_000 }),
        candidates: await session.candidates(EVERY_TEXT),
        newest: (await session.candidates({ ...EVERY_TEXT, order: 'newest' })).toReversed(),
      }
      for (const [what, rows] of Object.entries(answers))
        deepEqual(
          rows.map(({ seq }) => seq),
          seqs,
          what,
        )
      deepEqual(await session.compare(seqs, said.map(userMessage)), Array(1_300).fill(true))
      deepEqual(numbersOf(await session.frontier(1)), numbers)
      deepEqual(await session.summaries(numbers), create)
      const found = await session.summaryCandidates(EVERY_TEXT)
      deepEqual(
        found.map(({ number }) => number),
        numbers,
      )
      const forgotten = await session.forget({ first: 0, last: 249, at: AT, reason: 'asked' })
      deepEqual(forgotten, { messages: 250, summaries: numbers })
    },
  },
  {
    id: 'S24',
    title: 'finds what stands at the end of a long text, and gives all of it out',
    async run(harness) {
      const text = `${texts(20_000, 'word').join(' ')} needle`
      const session = await talk(harness.create(), 'a', text)
      await compactTo(session, 0, text)
      for (const kind of ['word', 'prefix', 'substring'] as const) {
        const query: CandidateQuery = { ...ALL, where: [[{ kind, text: 'needle' }]] }
        const found = [...(await session.candidates(query)), ...(await session.summaryCandidates(query))]
        deepEqual(
          found.map((row) => row.text === text),
          [true, true],
          kind,
        )
      }
    },
  },
]
