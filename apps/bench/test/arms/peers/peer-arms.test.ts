import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises'
import { type CompletionModel, countMessages, type Message, messageText } from '@palimpsest/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Arm, OpenInput, Projection } from '../../../src/arms/arm.ts'
import { HOSTS_OWN } from '../../../src/arms/arms.ts'
import { tailWithin } from '../../../src/arms/bounds.ts'
import { langChainSummarization } from '../../../src/arms/peers/langchain-summarization.ts'
import { mastraObservations } from '../../../src/arms/peers/mastra-observations.ts'
import { piCompaction } from '../../../src/arms/peers/pi-compaction.ts'
import { createSummaryWriter } from '../../../src/workload/summary-writer.ts'
import { bundled, conversations, generated, requests, tokens } from '../conversations.ts'

/** Above the largest call of the conversations with a system prompt and a summary. */
const budget = 24_000
const PLANTED = 'quokka-7f3a91.toml'
const SUMMARY = 'Here is a summary of the conversation to date:'

async function play(arm: Arm, conversation: readonly Message[], input: Partial<OpenInput> = {}) {
  const model = createSummaryWriter(tokens, 1)
  const opened = await arm.open({ sessionId: 's', budget, tokens, model, ...input })
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

describe.each(HOSTS_OWN)('$name', (arm) => {
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
    // Summaries are kept beside the last call. pi writes two of them into one when it cuts a turn.
    const summary = small * (arm === piCompaction ? 0.4 : 0.3)
    for (const conversation of conversations)
      for (const { transcript, shown } of await play(arm, conversation, { budget: small })) {
        const least = countMessages(tokens, tailWithin(transcript, 0, tokens)) + summary
        expect(countMessages(tokens, shown.messages)).toBeLessThanOrEqual(Math.max(small, least))
      }
  })

  it('still shows what was said last', async () => {
    const conversation = [...generated.slice(0, -1), { role: 'user', content: `Open ${PLANTED}.` } as const]
    const model = createSummaryWriter(tokens, 1)
    const opened = await arm.open({ sessionId: 's', budget, tokens, model })
    const { messages } = await opened.project(conversation)
    expect(messages.map(messageText).join()).toContain(PLANTED)
  })

  it('shows the same in a second run', async () => {
    const short = generated.slice(0, 70)
    expect(JSON.stringify(await play(arm, short))).toBe(JSON.stringify(await play(arm, short)))
  })

  it('names its package with the version that is installed, and its licence', () => {
    const [, name = '', version, licence] = / of (\S+) (\S+) \((.+?)\)/.exec(arm.description) ?? []
    expect(JSON.parse(readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8'))).toMatchObject({
      name,
      version,
      license: licence,
    })
    expect(['MIT', 'Apache-2.0']).toContain(licence)
  })
})

describe('langchain summarization', () => {
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
})
