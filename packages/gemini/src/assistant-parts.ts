import type { Part } from '@google/genai'
import { type AssistantMessage, contentParts, isObject } from '@palimpsest/core'
import { contentToPart } from './content-to-part.ts'
import type { AnyContentPart } from './media-part.ts'
import { requiresCallSignature } from './model-traits.ts'
import { geminiData, signatureOf } from './provider-data.ts'
import type { CallFacts } from './read-call.ts'
import { wireId } from './wire-id.ts'

/**
 * A value that Google documents for calls that the model did not make itself, or whose signature is gone: it is
 * accepted in place of one (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const absentSignature = 'skip_thought_signature_validator'

/**
 * The parts of an assistant message in the order in which the model wrote them: thoughts that are signed, then
 * content and calls. Thoughts without a signature are not sent: they are a summary for people.
 */
export function assistantParts(
  message: AssistantMessage,
  calls: readonly CallFacts[],
  model: string,
): Part[] {
  const parts = signedThoughts(message)
  let next = 0
  // Calls keep their order whatever their positions say, because their results are sent in that order.
  const addCalls = (position: number) => {
    for (let call = calls[next]; call !== undefined && positionOf(call) <= position; call = calls[++next])
      parts.push(callPart(call, next === 0 && requiresCallSignature(model)))
  }
  const content: readonly AnyContentPart[] = [...contentParts(message), ...refusalOf(message)]
  for (const [index, part] of content.entries()) {
    addCalls(index)
    const converted = contentToPart(part)
    if (converted !== undefined) parts.push(converted)
  }
  addCalls(Infinity)
  return parts
}

/** The number of content parts before a call. */
function positionOf({ data }: CallFacts): number {
  return typeof data.contentBefore === 'number' ? data.contentBefore : Infinity
}

function callPart(call: CallFacts, mustBeSigned: boolean): Part {
  const functionCall = { ...wireId(call), name: call.name, args: call.args }
  return {
    functionCall,
    ...(mustBeSigned ? { thoughtSignature: absentSignature } : {}),
    ...signatureOf(call.data),
  }
}

function signedThoughts(message: AssistantMessage): Part[] {
  const { reasoning } = geminiData(message)
  if (!Array.isArray(reasoning)) return []
  return reasoning.filter(isObject).flatMap((thought) => {
    const signature = signatureOf(thought)
    const text = typeof thought.text === 'string' ? thought.text : ''
    return signature.thoughtSignature === undefined ? [] : { text, thought: true, ...signature }
  })
}

/** The refusal that OpenAI keeps beside the content. */
function refusalOf(message: AssistantMessage): AnyContentPart[] {
  return typeof message.refusal === 'string' ? [{ type: 'refusal', refusal: message.refusal }] : []
}
