import { createScriptedModel } from '@palimpsest/contract-tests'
import {
  type AssistantMessage,
  type CompletionModel,
  type ContextEngine,
  type EngineHost,
  type Message,
  messageText,
  readSummary,
  roughTokenCounter,
  type ToolMessage,
} from '@palimpsest/core'
import { type CompressorOptions, compressor } from '../src/index.ts'

export const tokens = roughTokenCounter

export const system = (content = 'You are a coding agent.'): Message => ({ role: 'system', content })
export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): AssistantMessage => ({ role: 'assistant', content })

/** An assistant message with one call for each argument object, named by its ids. */
export const calls = (...list: { id: string; name?: string; args?: unknown }[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: list.map(({ id, name = 'read', args = { path: `src/${id}.ts` } }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })),
})

export const result = (id: string, content: string): ToolMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

/** So many words, each different, so that nothing is deduplicated by accident. */
export const words = (count: number, stem = 'word'): string =>
  Array.from({ length: count }, (_, index) => `${stem}${index}`).join(' ')

/** Turns of a user message, a tool round and an answer, about 60 tokens and `resultWords` words each. */
export function turns(count: number, resultWords = 100, stem = 't'): Message[] {
  return Array.from({ length: count }, (_, index): Message[] => {
    const id = `${stem}${index}`
    return [
      user(`Please look at part ${id} of the program.`),
      calls({ id }),
      result(id, words(resultWords, `${id}w`)),
      assistant(`Part ${id} is as it should be.`),
    ]
  }).flat()
}

/** A model that plays its script, one entry a call, and then repeats the last one. */
export const scripted = createScriptedModel

export const SUMMARY =
  '## Goal\nThe user wanted the program looked at.\n\n## Progress\n### Done\n- Parts were read.'

export interface EngineSetup extends CompressorOptions {
  readonly window?: number
  readonly model?: CompletionModel | undefined
  readonly clock?: { now(): number }
  readonly maxOutputTokens?: number
}

export function createEngine(setup: EngineSetup = {}): ContextEngine {
  const { window = 16_000, model, clock = { now: () => 0 }, maxOutputTokens = 0, ...options } = setup
  const host: EngineHost = {
    contextLength: window,
    maxOutputTokens,
    tokens,
    clock,
    sessionId: 'test',
    ...(model !== undefined && { model }),
  }
  return compressor.create(options, host)
}

/** The text of the one summary in a list of messages. */
export function summaryOf(messages: readonly Message[]): string {
  const found = messages.map(readSummary).filter((text) => text !== undefined)
  if (found.length !== 1) throw new Error(`expected one summary, found ${found.length}`)
  return found[0] as string
}

export const allText = (messages: readonly Message[]): string => messages.map(messageText).join('\n')
