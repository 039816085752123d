import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises'
import { trimMessages } from '@langchain/core/messages'
import { type CompletionModel, countMessages, type Message, messageText } from '@palimpsest/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Arm, OpenInput, Projection } from '../../../src/arms/arm.ts'
import { HOSTS_OWN, PEERS } from '../../../src/arms/arms.ts'
import { tailWithin } from '../../../src/arms/bounds.ts'
import { aiSdkPrune } from '../../../src/arms/peers/ai-sdk-prune.ts'
import { langChainSummarization } from '../../../src/arms/peers/langchain-summarization.ts'
import { createLangChainTranscript } from '../../../src/arms/peers/langchain-transcript.ts'
import { langChainClearTools, langChainTrim, lastMessages } from '../../../src/arms/peers/langchain-trim.ts'
import { mastraObservations } from '../../../src/arms/peers/mastra-observations.ts'
import { readHistory } from '../../../src/arms/peers/mastra-observer.ts'
import { OPENCLAW_PACKAGE, openClawCompaction } from '../../../src/arms/peers/pi-compaction.ts'
import { bundled, conversations, generated, requests, tokens } from '../conversations.ts'

/** Above the largest call of the conversations with a system prompt and a summary. */
const budget = 24_000
const PLANTED = 'quokka-7f3a91.toml'
const SUMMARY = 'Here is a summary of the conversation to date:'

async function play(arm: Arm, conversation: readonly Message[], input: Partial<OpenInput> = {}) {
  const opened = await arm.open({ sessionId: 's', budget, tokens, ...input })
  const played: { transcript: readonly Message[]; shown: Projection }[] = []
  for (const transcript of requests(conversation))
    played.push({ transcript, shown: await opened.project(transcript) })
  return played
}

const summariesIn = ({ messages }: Projection) =>
  messages.map(messageText).filter((text) => text.startsWith(SUMMARY))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe.each(PEERS)('$name', (arm) => {
  it('shows sequences that a provider takes, within the budget, and everything while that fits', async () => {
    for (const conversation of conversations) {
      const played = await play(arm, conversation)
      for (const { transcript, shown } of played) {
        expect(shown.warnings).not.toContain('invalid-projection')
        expect(shown.warnings).not.toContain('system-prompt-lost')
        expect(countMessages(tokens, shown.messages)).toBeLessThanOrEqual(budget)
        // Observed at once, a result is among Mastra's observations, and nothing stands behind them.
        if (arm !== mastraObservations || !shown.compacted || transcript.at(-1)?.role === 'user')
          expect(shown.messages.at(-1)).toBe(transcript.at(-1))
        if (countMessages(tokens, transcript) < budget)
          expect(shown).toMatchObject({ messages: transcript, tools: [], compacted: false, warnings: [] })
      }
      expect(played.some(({ shown }) => shown.compacted)).toBe(true)
    }
  })

  it('is within a small budget too, unless the last call alone is above it', async () => {
    const small = 10_000
    // Summaries are kept beside the last call. pi and OpenClaw write two of them into one when they cut a turn.
    const summary = arm.name.endsWith(' compaction') ? small * 0.4 : HOSTS_OWN.includes(arm) ? small * 0.3 : 0
    for (const conversation of conversations)
      for (const { transcript, shown } of await play(arm, conversation, { budget: small })) {
        const least = countMessages(tokens, tailWithin(transcript, 0, tokens)) + summary
        expect(countMessages(tokens, shown.messages)).toBeLessThanOrEqual(Math.max(small, least))
      }
  })

  it('still shows what was said last', async () => {
    const conversation = [...generated.slice(0, -1), { role: 'user', content: `Open ${PLANTED}.` } as const]
    const opened = await arm.open({ sessionId: 's', budget, tokens })
    const { messages } = await opened.project(conversation)
    expect(messages.map(messageText).join()).toContain(PLANTED)
  })

  it('shows the same in a second run', async () => {
    const short = generated.slice(0, 70)
    expect(JSON.stringify(await play(arm, short))).toBe(JSON.stringify(await play(arm, short)))
  })

  it('names its package with the version that is installed, and its licence', () => {
    const [, name = '', version, licence] = / of (\S+) (\S+) \((.+?)\)/.exec(arm.description) ?? []
    const from = arm === openClawCompaction ? pathToFileURL(join(OPENCLAW_PACKAGE, 'x.js')) : import.meta.url
    expect(JSON.parse(readFileSync(findPackageJSON(name, from) ?? '', 'utf8'))).toMatchObject({
      name,
      version,
      license: licence,
    })
    expect(['MIT', 'Apache-2.0']).toContain(licence)
  })
})

describe('langchain trim', () => {
  it('gives what trimming the whole conversation gives', async () => {
    for (const conversation of conversations) {
      const { append, read, count } = createLangChainTranscript(tokens)
      const state = append(conversation)
      for (const maxTokens of [16_000, 24_000, 40_000, 200_000]) {
        const trim = (messages: typeof state) =>
          trimMessages(messages, {
            maxTokens,
            tokenCounter: count,
            strategy: 'last',
            includeSystem: true,
            startOn: ['human', 'ai'],
          })
        const short = lastMessages(state, maxTokens, count)
        expect((await trim(short)).map(read)).toEqual((await trim(state)).map(read))
        if (maxTokens < 40_000) expect(short.length).toBeLessThan(state.length)
      }
    }
  })

  it('says so when nothing is left, because the last result alone is above the budget', async () => {
    const opened = await langChainTrim.open({ sessionId: 's', budget: 3_000, tokens })
    const transcript = [...requests(generated)].find((request) => request.at(-1)?.role === 'tool') ?? []
    expect(await opened.project(transcript)).toMatchObject({
      messages: [],
      warnings: ['system-prompt-lost', 'user-message-lost'],
    })
  })
})

describe('langchain summarization', () => {
  it('shows a summary by our summariser behind the system prompt, and merges it into the next', async () => {
    const played = await play(langChainSummarization, generated)
    const compactions = played.filter(({ shown }) => shown.compacted)
    expect(compactions.length).toBeGreaterThan(2)
    for (const { shown } of compactions) {
      const [summary = ''] = summariesIn(shown)
      expect(shown.messages[0]).toBe(generated[0])
      expect(summary).toContain('## Excerpts')
      expect(summary).toContain('without a model')
      expect(tokens.countText(summary)).toBeLessThan(budget * 0.31)
    }
    // What the user asked first is in the first tail no more, and in every summary since.
    const goal = messageText(generated[1] as Message).slice(0, 40)
    const [last = ''] = compactions.slice(-1).flatMap(({ shown }) => summariesIn(shown))
    expect(last).toContain(goal)
    expect(played.at(-1)?.shown.messages).not.toContain(generated[1])
  })

  it('always shows its summary, also when what stands behind it has to be cut', async () => {
    const played = await play(langChainSummarization, bundled, { budget: 8_000 })
    const since = played.slice(played.findIndex(({ shown }) => shown.compacted))
    expect(since.length).toBeGreaterThan(10)
    for (const { shown } of since) expect(summariesIn(shown)).toHaveLength(1)
  })

  it('asks the model that it is given, with the prompt of LangChain', async () => {
    const prompts: string[] = []
    const model: CompletionModel = {
      name: 'stub',
      async complete({ prompt }) {
        prompts.push(prompt)
        return { text: `Summary number ${prompts.length}.`, finishReason: 'stop' }
      },
    }
    const played = await play(langChainSummarization, generated, { model })
    expect(prompts[0]).toContain('Context Extraction Assistant')
    expect(prompts[0]).toContain(messageText(generated[1] as Message))
    expect(prompts[1]).toContain('Human: Here is a summary of the conversation to date:\n\nSummary number 1.')
    const compactions = played.filter(({ shown }) => shown.compacted)
    expect(compactions.flatMap(({ shown }) => summariesIn(shown))).toEqual(
      prompts.map((_, index) => `${SUMMARY}\n\nSummary number ${index + 1}.`),
    )
  })

  it('cuts what a model makes too long, if the request of the user is kept', async () => {
    const text = 'word '.repeat(budget)
    const model: CompletionModel = { name: 'stub', complete: async () => ({ text, finishReason: 'stop' }) }
    const played = await play(langChainSummarization, generated, { model })
    const whole = played.filter(
      ({ shown }) => shown.compacted && !shown.warnings.includes('user-message-lost'),
    )
    expect(whole.length).toBeGreaterThan(0)
    for (const { shown } of whole) expect(countMessages(tokens, shown.messages)).toBeLessThanOrEqual(budget)
  })

  it('says so when the model fails, because the middleware shows the error as the summary', async () => {
    const model: CompletionModel = { name: 'stub', complete: () => Promise.reject(new Error('no quota')) }
    const played = await play(langChainSummarization, generated, { model })
    for (const { shown } of played) expect(shown.warnings.includes('summariser-failed')).toBe(shown.compacted)
    expect(played.flatMap(({ shown }) => summariesIn(shown)).join()).toContain('no quota')
  })

  it('sends nothing anywhere, whatever the environment asks of LangChain', async () => {
    const fetch = vi.fn(async () => new Response('{}'))
    vi.stubGlobal('fetch', fetch)
    vi.stubEnv('LANGSMITH_TRACING', 'true')
    vi.stubEnv('LANGSMITH_API_KEY', 'none')
    await play(langChainSummarization, generated.slice(0, 60))
    await awaitAllCallbacks()
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('mastra observations', () => {
  const observationsIn = ({ messages }: Projection) =>
    messages.map(messageText).find((text) => text.startsWith('The following observations block')) ?? ''
  const countExcerpts = (shown: Projection) => observationsIn(shown).split('## Excerpts').length - 1

  it('appends what it observes, and makes one of all observations when they are above their share', async () => {
    const played = await play(mastraObservations, generated, { budget: 6_000 })
    const counts = played.filter(({ shown }) => shown.compacted).map(({ shown }) => countExcerpts(shown))
    expect(counts.slice(0, 3)).toEqual([1, 2, 3])
    expect(counts.slice(3)).toContain(1)
    const goal = messageText(generated[1] as Message).slice(0, 40)
    for (const { shown } of played.filter((each) => countExcerpts(each.shown) > 0))
      expect(observationsIn(shown)).toContain(goal)
  })

  it('asks the model that it is given, with the prompts of Mastra', async () => {
    const prompts: string[] = []
    const model: CompletionModel = {
      name: 'stub',
      async complete({ prompt }) {
        prompts.push(prompt)
        const lines = Array.from({ length: 150 }, (_, line) => `* Note ${prompts.length}, line ${line}`)
        return { text: `<observations>\n${lines.join('\n')}\n</observations>`, finishReason: 'stop' }
      },
    }
    const played = await play(mastraObservations, generated, { budget: 8_000, model })
    expect(prompts[0]).toContain('## New Message History to Observe')
    expect(prompts[0]).toContain(messageText(generated[1] as Message))
    expect(prompts.some((prompt) => prompt.includes('## OBSERVATIONS TO REFLECT ON'))).toBe(true)
    const [first] = played.filter(({ shown }) => shown.compacted)
    expect(first && observationsIn(first.shown)).toContain('* Note 1, line 0')
  })

  it('ends a request in the error of its model', async () => {
    const model: CompletionModel = { name: 'stub', complete: () => Promise.reject(new Error('no quota')) }
    await expect(play(mastraObservations, generated, { model })).rejects.toThrow('no quota')
  })

  it('reads back what Mastra writes for its observer', () => {
    const texts = [
      'Jan 1 2026:\nUser (12:00 AM): Read it.\nAll of it.',
      'Assistant: I read.\nTool Call read: path: "a.ts"\ntext: <string, 900 characters; preview size-limited>\n' +
        'Large string previews (size-limited):\ntext:\n  | one\n  | two\nTool Result read: line 1\n\nline 3',
    ]
    expect(readHistory(texts)).toEqual([
      { role: 'user', content: 'Read it.\nAll of it.' },
      { role: 'assistant', content: 'I read.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c0',
            type: 'function',
            function: { name: 'read', arguments: '{"path":"a.ts","text":"one\\ntwo"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'line 1\n\nline 3' },
    ])
  })
})

describe('langchain clear tools', () => {
  it('clears all results but the last three, and keeps them cleared', async () => {
    const played = await play(langChainClearTools, bundled)
    const first = played.find(({ shown }) => shown.compacted)
    const results = first?.shown.messages.filter(({ role }) => role === 'tool').map(messageText) ?? []
    expect(results.slice(0, -3).every((text) => text === '[cleared]')).toBe(true)
    expect(results.slice(-3)).not.toContain('[cleared]')
    const texts = played
      .slice(played.findIndex(({ shown }) => shown.compacted))
      .map(({ shown }) => shown.messages.map(messageText))
    expect(texts.every((list) => list.includes('[cleared]'))).toBe(true)
  })
})

describe('ai-sdk prune', () => {
  it('drops calls with their results before the last three messages, and keeps what was said', async () => {
    const played = await play(aiSdkPrune, bundled)
    const first = played.find(({ shown }) => shown.compacted)
    const kept = first?.shown.messages ?? []
    expect(kept.filter(({ role }) => role === 'tool').length).toBeLessThan(8)
    for (const message of first?.transcript ?? [])
      if (message.role === 'user') expect(kept).toContain(message)
  })

  it('has compacted when only calls were cut out of messages that stay', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } } as const
    const transcript: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: 'I read it.', tool_calls: [call] },
      { role: 'user', content: `${'word '.repeat(900)}` },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Go on.' },
    ]
    const opened = await aiSdkPrune.open({ sessionId: 's', budget: 800, tokens })
    const { compacted } = await opened.project(transcript)
    expect(compacted).toBe(true)
  })
})
