import { type ContentPart, isObject, type Loose, type ToolCall } from '@palimpsest/core'
import { functionCall, textPart } from '../build-message.ts'
import { nameOf, stringOf, toolArguments } from '../json.ts'
import { recordedParts } from '../recorded-parts.ts'

/** Content of OpenAI's Responses API as parts; items of other kinds are kept as they are. */
export function responsesParts(content: unknown): ContentPart[] {
  return recordedParts(content, (item) => {
    const text = stringOf(item.text)
    if ((item.type === 'input_text' || item.type === 'output_text') && text !== undefined)
      return textPart(text)
    if (item.type === 'input_image' && typeof item.image_url === 'string') {
      return { type: 'image_url', image_url: { url: item.image_url } }
    }
    return undefined
  })
}

/** A call item as a tool call, or undefined for items of other kinds. */
export function responsesCall(item: Loose): ToolCall | undefined {
  const id = nameOf(item.call_id) ?? nameOf(item.id) ?? ''
  const name = nameOf(item.name)
  switch (item.type) {
    case 'function_call':
      return name === undefined ? undefined : functionCall(id, name, toolArguments(item.arguments))
    case 'custom_tool_call':
      if (name === undefined) return undefined
      return {
        id,
        type: 'custom',
        custom: { name, input: stringOf(item.input) ?? toolArguments(item.input) },
      }
    case 'local_shell_call':
      return functionCall(id, 'local_shell', toolArguments(item.action))
    default:
      return undefined
  }
}

/** The output of a call: text, a list of items, or in older versions an object with `content` and `success`. */
export function callOutput(output: unknown) {
  if (isObject(output) && 'content' in output) {
    return { parts: responsesParts(output.content), isError: output.success === false }
  }
  return { parts: responsesParts(output), isError: false }
}
