import type { Content } from '@google/genai'
import type { ToolSchema } from '@palimpsest/core'

/** What one call asks for, apart from what the model's options say. */
export interface GeminiRequest {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: readonly ToolSchema[] | undefined
  /** Upper bound for the answer alone, in tokens. */
  readonly maxOutputTokens?: number | undefined
}
