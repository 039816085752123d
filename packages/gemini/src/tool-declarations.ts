import type { GenerateContentConfig } from '@google/genai'
import type { ToolSchema } from '@palimpsest/core'

/** Tools as function declarations. Their JSON Schema goes through unchanged, as `parametersJsonSchema`. */
export function toolDeclarations(tools: readonly ToolSchema[] = []): Pick<GenerateContentConfig, 'tools'> {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
  }))
  return { tools: [{ functionDeclarations }] }
}
