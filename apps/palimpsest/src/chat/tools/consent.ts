import { abortable } from '@palimpsest/core'
import type { Confirm, Confirmation } from '../chat-agent.ts'
import { ToolFault } from './tool-fault.ts'

/** Asks a person unless they have said `always`. @throws ToolFault when they say no. */
export type AskConsent = (question: Confirmation, signal: AbortSignal) => Promise<void>

export interface Consenting {
  readonly ask: AskConsent
  /** The time that people took to answer, all questions together, in milliseconds. */
  readonly waited: number
}

/** Remembers what a person said `always` to: a kind of change, or one command. */
export function createConsenting(confirm: Confirm): Consenting {
  const always = new Set<string>()
  let waited = 0
  return {
    async ask(question, signal) {
      const { kind, subject } = question
      const key = kind === 'run' ? `run ${subject}` : kind
      if (always.has(key)) return
      const start = performance.now()
      const consent = await abortable(confirm(question, signal), signal).finally(() => {
        waited += performance.now() - start
      })
      if (consent === 'always') always.add(key)
      if (consent !== 'no') return
      throw new ToolFault(
        'the user said no to this; nothing was done. Ask what they want instead of trying it another way',
      )
    },
    get waited() {
      return waited
    },
  }
}
