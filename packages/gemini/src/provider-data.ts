import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

export interface GeminiData {
  readonly thoughtSignature?: string
  /** The number of content parts before a tool call. Absent: all. */
  readonly contentBefore?: number
  /** Gemini's id of a tool call, if it could not be used as the call's id. */
  readonly id?: string
  readonly reasoning?: readonly Thought[]
  /** Gemini's own part, on a content part of type `gemini`. */
  readonly part?: unknown
}

export interface Thought {
  readonly text: string
  readonly thoughtSignature?: string
}

export function geminiData(holder: unknown): Loose {
  return providerDataOf(holder, 'gemini')
}

export function withGeminiData(data: GeminiData): { readonly providerData?: ProviderData } {
  return withProviderData('gemini', data)
}

export function signatureOf(data: { readonly thoughtSignature?: unknown }): {
  readonly thoughtSignature?: string
} {
  const { thoughtSignature } = data
  return typeof thoughtSignature === 'string' && thoughtSignature !== '' ? { thoughtSignature } : {}
}
