import type { Content } from '@google/genai'
import type { ToolSchema } from '@palimpsest/core'

/** The request of one call, without the model's options. */
export interface GeminiRequest {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: readonly ToolSchema[] | undefined
  /** Upper bound for the answer alone, in tokens. */
  readonly maxOutputTokens?: number | undefined
}
