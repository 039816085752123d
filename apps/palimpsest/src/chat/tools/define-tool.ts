import { errorText, PalimpsestError } from '@palimpsest/core'
import { readToolArguments, toolSchema, type z } from '@palimpsest/core/options'
import { UsageError } from '../../usage-error.ts'
import type { ChatTool, ToolAnswer } from './tool.ts'
import { ToolFault } from './tool-fault.ts'

interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  /** The argument that tells a person most. */
  readonly summary: (args: z.output<Schema>) => string
  /** A text is an answer that is well. @throws ToolFault, or anything else: the model is told. */
  readonly run: (args: z.output<Schema>, signal: AbortSignal) => Promise<string | ToolAnswer>
}

/** Characters of a summary. */
const SUMMARY_CHARACTERS = 200

/** A tool whose arguments are checked before it runs, and whose errors are answers. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): ChatTool {
  const { name, description, schema } = definition
  return {
    schema: toolSchema(name, description, schema),
    summary(args) {
      try {
        return oneLine(definition.summary(readToolArguments(schema, args)))
      } catch {
        return oneLine(typeof args === 'string' ? args : (JSON.stringify(args) ?? ''))
      }
    },
    async run(args, signal) {
      try {
        signal.throwIfAborted()
        const answer = await definition.run(readToolArguments(schema, args), signal)
        return typeof answer === 'string' ? { ok: true, text: answer } : answer
      } catch (error) {
        return { ok: false, text: faultText(error, signal) }
      }
    },
  }
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= SUMMARY_CHARACTERS ? line : `${line.slice(0, SUMMARY_CHARACTERS - 1)}…`
}

function faultText(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Error: stopped by the user'
  const isPlain =
    error instanceof ToolFault || error instanceof UsageError || PalimpsestError.isInstance(error)
  return isPlain ? `Error: ${error.message}` : `Error: the tool failed: ${errorText(error)}`
}
