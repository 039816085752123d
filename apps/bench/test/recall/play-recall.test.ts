import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Arm } from '../../src/arms/arm.ts'
import { truncate } from '../../src/arms/bounds.ts'
import { usedBehind } from '../../src/recall/after-compaction.ts'
import { measureNativeCompactions } from '../../src/recall/native-compactions.ts'
import { type Play, playRecall } from '../../src/recall/play-recall.ts'
import { readForRecall } from '../../src/recall/session-reading.ts'
import { assistant, filler, recorded, user, words } from './conversation.ts'

/** Compacts once, when the transcript is this long, and shows a summary and the request from then on. */
function compactor(at: number, summary: string): Arm {
  return {
    name: 'compactor',
    description: 'a double',
    kind: 'engine',
    searches: [],
    open: () => ({
      async project(transcript) {
        const messages = transcript.length < at ? transcript : [user(summary), ...transcript.slice(-1)]
        return { messages, tools: [], compacted: transcript.length === at, warnings: ['double'] }
      },
      async answered() {},
      callTool: async () => '{}',
      end: async () => {},
    }),
  }
}

const messages: Message[] = [
  user('Work on src/a.ts and src/b.ts'),
  assistant(`I know fooBar. ${filler(20)}`),
  user('Go on.'),
  assistant('Reading src/b.ts and src/fresh.ts'),
  user('Then src/a.ts'),
  assistant('Changed src/a.ts, src/b.ts, fooBar and src/new.ts'),
]
const reading = readForRecall({ session: recorded(messages), tokens: words, beyond: 10 })
const play = (arm: Arm): Promise<Play> => playRecall({ arm, reading, budget: 10, tokens: words })

describe('a played session', () => {
  it('looks for what the assistant refers to in the projection of that request', async () => {
    const { probes } = await play(compactor(3, 'About /work/src/b.ts there is much to say.'))
    const places = probes.map(({ reference: { message, role, identifier }, place }) => [
      message,
      role,
      identifier,
      place !== null,
    ])
    expect(places).toEqual([
      [3, 'assistant', 'src/b.ts', true],
      [4, 'user', 'src/a.ts', false],
    ])
  })

  it('looks for what a user refers to in the projection before: nobody knew of the message', async () => {
    const summary = 'Settled: src/a.ts'
    const late = await play(compactor(5, summary))
    expect(late.probes.find(({ reference }) => reference.role === 'user')?.place).not.toBeNull()
    const lost = await play({ ...truncate, kind: 'engine' })
    expect(lost.probes.map(({ place }) => place)).toEqual([null, null])
  })

  it('tells where in the prompt it last stood, and what the requests with it took', async () => {
    const { probes, requests, warnings } = await play(compactor(3, `src/b.ts ${filler(2)} src/b.ts`))
    // The summary has 4 of the 6 tokens; 19 of its 27 characters are before the last place.
    expect(probes[0]?.place).toBeCloseTo((4 / 6) * (19 / 27), 5)
    expect(requests.map(({ tokens, asked, held }) => [tokens, asked, held])).toEqual([
      [5, 0, 0],
      [6, 2, 1],
      [6, 0, 0],
    ])
    expect(warnings).toEqual(['double', 'double', 'double'])
  })

  it('compares what is used behind a compaction with an equally large end of the transcript', async () => {
    // Used from message 3 on and there before: src/b.ts, src/a.ts, fooBar. src/fresh.ts and src/new.ts are new.
    const { afterCompactions, compactions } = await play(compactor(3, 'Summary: src/a.ts, fooBar'))
    expect(compactions).toBe(1)
    // The end is the request alone: the message before it has 22 tokens.
    expect(afterCompactions).toEqual([{ tokens: 5, used: 3, held: 2, inTail: 0, tailTokens: 2 }])
  })

  it('looks 120 messages ahead, the one that was asked for among them', () => {
    const chat = (last: number): Message[] => [
      user('Of src/a.ts'),
      ...Array.from({ length: last - 1 }, () => assistant('So.')),
      assistant('src/a.ts'),
    ]
    const usedFrom = (list: readonly Message[]): string[] =>
      usedBehind(readForRecall({ session: recorded(list), tokens: words, beyond: 10 }), 1)
    expect(usedFrom(chat(120))).toEqual(['src/a.ts'])
    expect(usedFrom(chat(121))).toEqual([])
  })

  it('measures no compaction of a bound', async () => {
    const { afterCompactions, compactions } = await play(truncate)
    expect(compactions).toBeGreaterThan(0)
    expect(afterCompactions).toEqual([])
  })
})

describe("the host's own compaction", () => {
  it('stands beside what an arm shows at the same place, each with a tail of its size', async () => {
    const session = {
      ...recorded(messages),
      nativeCompactions: [{ beforeEntry: 3, summary: 'Of src/b.ts' }, { beforeEntry: 3 }],
    }
    const arms = [compactor(3, 'All of src/a.ts, src/b.ts, fooBar'), truncate]
    const native = readForRecall({ session, tokens: words, beyond: 10 })
    expect(await measureNativeCompactions({ reading: native, arms, tokens: words })).toEqual([
      {
        session: 'session',
        message: 3,
        tokens: 2,
        n: 3,
        shares: [
          { arm: 'native', tokens: 2, share: 1 / 3, tail: 0 },
          { arm: 'compactor', tokens: 7, share: 1, tail: 0 },
        ],
      },
    ])
  })
})
