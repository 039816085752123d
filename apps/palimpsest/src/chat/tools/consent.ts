import { abortable } from '@palimpsest/core'
import type { Confirm, Confirmation } from '../chat-agent.ts'
import { ToolFault } from './tool-fault.ts'

/** Asks a person unless they have said `always`. @throws ToolFault when they say no. */
export type AskConsent = (question: Confirmation, signal: AbortSignal) => Promise<void>

/** Remembers what a person said `always` to: a kind of change, or one command. */
export function createAskConsent(confirm: Confirm): AskConsent {
  const always = new Set<string>()
  return async (question, signal) => {
    const { kind, subject } = question
    const key = kind === 'run' ? `run ${subject}` : kind
    if (always.has(key)) return
    const consent = await abortable(confirm(question, signal), signal)
    if (consent === 'always') always.add(key)
    if (consent !== 'no') return
    throw new ToolFault(
      'the user said no to this; nothing was done. Ask what they want instead of trying it another way',
    )
  }
}
