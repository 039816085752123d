import { aroundCalls, type ChatModel, type CompletionModel, type Usage } from '@palimpsest/core'
import { traceModelCall } from '@palimpsest/gateway'
import type { Purpose } from './price-of.ts'

export interface MeteredCall {
  readonly purpose: Purpose
  readonly model: string
  readonly usage?: Usage
}

/** Records a call; the answer waits for it. */
export type NoteCall = (call: MeteredCall) => Promise<void> | void

export function meterCompletion(model: CompletionModel, purpose: Purpose, note: NoteCall): CompletionModel {
  return aroundCalls(model, async (ask, signal) => {
    const answer = await traced(model.name, () => ask(signal))
    await note(metered(purpose, model.name, answer.usage))
    return answer
  })
}

export function meterChat(model: ChatModel, note: NoteCall): ChatModel {
  return {
    ...model,
    async chat(call) {
      const response = await traced(model.name, () => model.chat(call))
      await note(metered('answer', model.name, response.usage))
      return response
    },
  }
}

function traced<Answer extends { readonly usage?: Usage }>(
  name: string,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const [, provider = '_OTHER', model = name] = /^([^:]+):(.+)$/.exec(name) ?? []
  return traceModelCall({ provider: PROVIDERS[provider] ?? provider, model, clock: { now: Date.now } }, run)
}

const PROVIDERS: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' }

function metered(purpose: Purpose, model: string, usage: Usage | undefined): MeteredCall {
  return { purpose, model, ...(usage !== undefined && { usage }) }
}
