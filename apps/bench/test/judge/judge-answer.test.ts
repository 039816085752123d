import type { ChatModel, Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/dialogues/dialogue.ts'
import { judgeAnswer } from '../../src/judge/answer-dialogue.ts'
import { createModelMeter } from '../../src/judge/model-meter.ts'
import { statedFact } from '../../src/judge/question.ts'
import { strictJudge } from './support/judges.ts'

const item: Item = {
  kind: 'setting',
  subject: ['voucher', 'quota'],
  value: '300',
  settledAt: 3,
  wrong: { value: '250', statedAt: 1 },
}
const fact = statedFact(item, 'voucher import')
const prompt: Message[] = [{ role: 'user', content: 'What is the quota of the voucher import?' }]

/** One answer from `prompt`, with a tool that gives the answerer this JSON. */
async function judged(text: string, found?: object) {
  const { signal } = new AbortController()
  const meter = createModelMeter('script', signal, async () => {})
  const call = { id: 'c1', type: 'function', function: { name: 'lcm_grep', arguments: '{}' } } as const
  const model: ChatModel = {
    name: 'script',
    chat: async ({ messages, tools }) =>
      tools !== undefined && messages.at(-1)?.role === 'user'
        ? { message: { role: 'assistant', content: null, tool_calls: [call] }, finishReason: 'tool-calls' }
        : { message: { role: 'assistant', content: text }, finishReason: 'length' },
  }
  const { facts, ...answer } = await judgeAnswer(
    { answerer: { model, meter, signal }, judge: { model: strictJudge, meter, signal } },
    {
      question: { message: 4, text: 'What is the quota?', facts: [fact] },
      messages: prompt,
      tools: found === undefined ? [] : [{ type: 'function', function: { name: 'lcm_grep' } }],
      callTool: async () => JSON.stringify(found),
    },
  )
  return { ...answer, fact: facts[0] }
}

describe('judgeAnswer', () => {
  it.each([
    ['holds', `${fact.about}: 300`],
    ['stale', `${fact.about}: \`250\``],
    ['wrong', `${fact.about}: \`77\``],
    ['not-stated', `${fact.about}: as discussed`],
  ])('tells %s', async (verdict, text) => {
    expect((await judged(text)).fact).toMatchObject({ verdict, isShown: false, value: '300', wrong: '250' })
  })

  it('knows what a tool showed, through the JSON that it came in', async () => {
    const lines = 'The quota of the voucher import is\n300\nper hour.'
    expect(await judged(`${fact.about}: 300`, { hits: [lines] })).toMatchObject({
      toolCalls: 1,
      fact: { isShown: true, verdict: 'holds' },
    })
    expect((await judged(`${fact.about}: 300`, { hits: [] })).fact?.isShown).toBe(false)
  })

  it('says that an answer hit the output limit', async () => {
    expect(await judged('The quo')).toMatchObject({ cutOff: true, failure: null })
  })
})
