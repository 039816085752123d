import { isObject } from '@palimpsest/core'

/** A part of a content of Gemini, of any kind. */
export interface GeminiPart {
  readonly text?: string | undefined
  readonly thought?: boolean | undefined
  readonly functionCall?: GeminiCall | undefined
  readonly functionResponse?: GeminiCall | undefined
  readonly inlineData?: GeminiMedia | undefined
  readonly fileData?: GeminiMedia | undefined
}

/** A call and its response are matched by the id, or by the name where there is no id. */
export interface GeminiCall {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

export interface GeminiMedia {
  readonly mimeType?: string | undefined
  /** Base64. */
  readonly data?: string | undefined
}

export interface GeminiContent {
  readonly role?: string | undefined
  readonly parts?: readonly GeminiPart[] | undefined
}

export type GeminiInstruction = GeminiContent | string | GeminiPart | readonly (GeminiPart | string)[]

export interface GeminiConfig {
  readonly systemInstruction?: GeminiInstruction | undefined
  readonly tools?: readonly object[] | undefined
  readonly toolConfig?: object | undefined
  /** Name of what `caches.create` made. */
  readonly cachedContent?: string | undefined
}

/** The parameters of `models.generateContent`, with its contents as a list. */
export interface GeminiRequest {
  readonly model: string
  readonly contents: readonly GeminiContent[]
  readonly config?: GeminiConfig | undefined
}

/** The parts of a content; none where something else stands in their place. */
export function partsOf(content: GeminiContent): readonly GeminiPart[] {
  const parts: unknown = isObject(content) ? content.parts : undefined
  return Array.isArray(parts) ? parts.filter(isObject) : []
}
