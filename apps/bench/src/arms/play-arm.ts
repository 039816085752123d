import { type AssistantMessage, countMessages, type Message } from '@palimpsest/core'
import type { Counts } from '../report/section.ts'
import type { Arm, OpenInput, Projection } from './arm.ts'

export type Request = { readonly length: number; readonly answer: AssistantMessage }

export function requestsOf(messages: readonly Message[]): Request[] {
  return messages.flatMap((message, length) =>
    message.role === 'assistant' && length > 0 ? [{ length, answer: message }] : [],
  )
}

export interface PlayedRequest {
  readonly length: number
  readonly projection: Projection
  readonly size: number
}

export interface Play {
  readonly requests: number
  readonly compactions: number
  readonly overBudget: number
  readonly warnings: Counts
}

export async function playArm(
  { arm, messages, ...input }: OpenInput & { readonly arm: Arm; readonly messages: readonly Message[] },
  onRequest: (request: PlayedRequest) => Promise<void> | void,
): Promise<Play> {
  const opened = await arm.open(input)
  const warnings: Record<string, number> = {}
  let [requests, compactions, overBudget] = [0, 0, 0]
  try {
    for (const { length, answer } of requestsOf(messages)) {
      const projection = await opened.project(messages.slice(0, length))
      const size = countMessages(input.tokens, projection.messages)
      requests++
      if (projection.compacted) compactions++
      if (size > input.budget) overBudget++
      for (const code of projection.warnings) warnings[code] = (warnings[code] ?? 0) + 1
      await onRequest({ length, projection, size })
      await opened.answered(answer)
    }
  } finally {
    await opened.end()
  }
  return { requests, compactions, overBudget, warnings }
}
