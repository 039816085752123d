import { AT, texts } from '@palimpsest/sqlite-kit/store-suite'
import type { ArtifactTouch } from '../../candidates/artifact-touch.ts'
import type { SourceMessage } from '../../candidates/source-message.ts'
import type { Choice, SaidEvent, Scope, Withdrawal } from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'
import { decisionId, eventId, withdrawalId } from '../../log/ids.ts'
import { makeSource } from '../../log/source.ts'
import type { DecisionSession, DecisionStore, ExtractionJob } from '../../store/decision-store.ts'

export { AT, texts }

export const PROJECT: Scope = 'project:shop'

/** A message; each second one is the assistant's. */
export function message(index: number, text = `message ${index}`): SourceMessage {
  const role = index % 2 === 0 ? 'user' : 'assistant'
  return { message: index, turn: Math.floor(index / 2) + 1, role, text, hash: hashText(`${role} ${text}`) }
}

/** Messages from an index on. */
export function messages(from: number, ...texts: readonly string[]): SourceMessage[] {
  return texts.map((text, offset) => message(from + offset, text))
}

/** A new session of the default principal in which these texts were said. */
export async function talk(
  store: DecisionStore,
  key: string,
  ...texts: readonly string[]
): Promise<DecisionSession> {
  const session = await store.session({ key }, AT)
  if (texts.length > 0) await session.commit({ sources: messages(0, ...texts) }, AT)
  return session
}

/** An event: all text of a message is the value of a slot; the user states it, the assistant has carried it out. */
export function asserted(
  session: string,
  said: SourceMessage,
  given: { readonly scope?: Scope; readonly choice?: Partial<Choice>; readonly edition?: number } = {},
): SaidEvent & { readonly type: 'asserted' } {
  const { scope = PROJECT, edition = 0 } = given
  const source = makeSource(said, { session, start: 0, end: said.text.length, edition })
  const choice: Choice = {
    ...{ slot: 'datastore', area: '', choice: said.text, category: 'decisions', cardinality: 'one' },
    ...{ l0: said.text, entities: [], dependsOn: [] },
    ...given.choice,
  }
  const decision = decisionId(scope, choice, source)
  const event = {
    type: 'asserted',
    decision,
    scope,
    at: AT,
    source,
    authority: said.role === 'user' ? 'stated' : 'proposed',
    by: 'rules',
  } as const
  return { ...event, choice, id: eventId({ ...event, choice }) }
}

/** Events of one session, one of each message. */
export function assertions(
  session: string,
  from: number,
  ...texts: readonly string[]
): (SaidEvent & { readonly type: 'asserted' })[] {
  return messages(from, ...texts).map((said) => asserted(session, said))
}

/** A message as a further clause of a decision. */
export function merged(
  { choice: _, ...base }: SaidEvent & { readonly type: 'asserted' },
  said: SourceMessage,
): SaidEvent {
  const source = makeSource(said, {
    session: base.source.session,
    start: 0,
    end: said.text.length,
    edition: 0,
  })
  const event = { ...base, type: 'merged' as const, source, text: said.text, l1: said.text }
  return { ...event, id: eventId(event) }
}

export function withdrawn(session: string, from: number, edition: number, scope = PROJECT): Withdrawal {
  const id = withdrawalId({ scope, session, from, edition })
  return { type: 'withdrawn', id, scope, at: AT, session, from, edition }
}

export function job(session: string, from: number, to: number, edition = 0): ExtractionJob {
  return { id: `j ${session} ${from}-${to} ${edition}`, from, to, version: 1, attempts: 0 }
}

export function touch(index: number, call = 0, path = `src/${index}-${call}.ts`): ArtifactTouch {
  return { message: index, call, turn: Math.floor(index / 2) + 1, path, operation: 'edited', failed: false }
}
