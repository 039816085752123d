import type { Message, ToolSchema } from '@palimpsest/core'
import type { CacheSettings } from '../cache-wire.ts'

/** The role that no current model produces. */
export interface FunctionMessage {
  readonly role: 'function'
  readonly name: string
  readonly content: string | null
}

/** A tool that takes free text. */
export interface CustomTool {
  readonly type: 'custom'
  readonly custom: {
    readonly name: string
    readonly description?: string
    readonly format?:
      | { readonly type: 'text' }
      | {
          readonly type: 'grammar'
          readonly grammar: { readonly definition: string; readonly syntax: 'lark' | 'regex' }
        }
  }
}

/**
 * Messages and tools of OpenAI's shape: ours, or those of its SDK's `ChatCompletionCreateParams`. Members that are not
 * named here are kept.
 */
export interface MessagesRequest {
  readonly messages: readonly (Message | FunctionMessage)[]
  readonly tools?: readonly (ToolSchema | CustomTool)[]
  readonly model?: string
  /** Other settings that the prompt depends on. They are only hashed. */
  readonly settings?: CacheSettings
}
