import { errorText, PalimpsestError, type ToolSchema } from '@palimpsest/core'
import { readToolArguments, toolSchema, type z } from '@palimpsest/core/options'
import { UsageError } from '../../usage-error.ts'

export interface ToolAnswer {
  readonly ok: boolean
  readonly text: string
}

export interface ChatTool {
  readonly schema: ToolSchema
  summary(args: unknown): string
  run(args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}

export class ToolFault extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder; list_files shows what there is',
  ENOTDIR: 'a part of this path is a file and not a folder',
  EISDIR: 'it is a folder; list_files shows what is in it',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
}

export function fileFault(shown: string, cause: unknown): ToolFault {
  if (cause instanceof ToolFault) return cause
  const { code = '', message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException
  return new ToolFault(`${shown}: ${REASONS[code] ?? (code || message)}`, { cause })
}

interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  readonly summary: (args: z.output<Schema>) => string
  readonly run: (args: z.output<Schema>, signal: AbortSignal) => Promise<string | ToolAnswer>
}

const SUMMARY_CHARACTERS = 200

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
