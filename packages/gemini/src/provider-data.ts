import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

/** The data of this package beside a tool call, a content part or a message, under `providerData.gemini`. */
export interface GeminiData {
  /** Opaque proof of the thoughts behind a part; it goes back to the model with that part. */
  readonly thoughtSignature?: string
  /** On a tool call: how many content parts stood before it. Absent: all of them. */
  readonly contentBefore?: number
  /** On a tool call: the id that Gemini gave, where it could not serve as the call's id. */
  readonly id?: string
  /** On a message: what the model told about its thoughts, in order. */
  readonly reasoning?: readonly Thought[]
  /** On a content part of the type `gemini`: the part as Gemini wrote it. */
  readonly part?: unknown
}

/** A summary of thoughts, and its signature if it has one. */
export interface Thought {
  readonly text: string
  readonly thoughtSignature?: string
}

/** The data of this package on a message, a part or a call, of which nothing is certain. */
export function geminiData(holder: unknown): Loose {
  return providerDataOf(holder, 'gemini')
}

/** The field `providerData` for these data, or nothing when there are none. */
export function withGeminiData(data: GeminiData): { readonly providerData?: ProviderData } {
  return withProviderData('gemini', data)
}

/** The signature in these data, ready to be spread into a part or into data. */
export function signatureOf(data: { readonly thoughtSignature?: unknown }): {
  readonly thoughtSignature?: string
} {
  const { thoughtSignature } = data
  return typeof thoughtSignature === 'string' && thoughtSignature !== '' ? { thoughtSignature } : {}
}
