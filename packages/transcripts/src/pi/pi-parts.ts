import { type ContentPart, isObject, type Loose, looseOf, type ToolCall } from '@palimpsest/core'
import { functionCall, textPart } from '../build-message.ts'
import { arrayOf, nameOf, stringOf, toolArguments } from '../json.ts'
import { type AnswerBlocks, imagePart, recordedParts } from '../recorded-parts.ts'

/** pi's text and image blocks as parts. `provider` is whose signature a text may carry. */
export function piParts(content: unknown, provider = 'pi'): ContentPart[] {
  return recordedParts(content, (block) => {
    if (block.type === 'image' && typeof block.data === 'string') {
      return imagePart(nameOf(block.mimeType) ?? 'image/png', block.data)
    }
    if (block.type !== 'text' || typeof block.text !== 'string') return undefined
    const signature = nameOf(block.textSignature)
    if (signature === undefined) return textPart(block.text)
    return { ...textPart(block.text), providerData: { [provider]: { textSignature: signature } } }
  })
}

const DATA_URL = /^data:([^;,]*);base64,(.*)$/s

/** Parts as pi's blocks: the way back from `piParts`. An image elsewhere is named, because pi holds its bytes. */
export function fromPiParts(parts: readonly ContentPart[], provider = 'pi'): unknown[] {
  return parts.map((part) => {
    const { type, text, image_url: image, providerData } = part as unknown as Loose
    if (type === 'text') {
      const signature = nameOf(looseOf(looseOf(providerData)[provider]).textSignature)
      return { type, text, ...(signature !== undefined && { textSignature: signature }) }
    }
    if (type !== 'image_url') return part
    const url = stringOf(looseOf(image).url) ?? ''
    const [, mimeType, data] = DATA_URL.exec(url) ?? []
    return data === undefined ? { type: 'text', text: `[image: ${url}]` } : { type: 'image', data, mimeType }
  })
}

/** The blocks of one assistant message, sorted. */
export function piAnswer(content: unknown, provider: string): AnswerBlocks {
  if (!Array.isArray(content)) return { parts: piParts(content, provider), calls: [], reasoning: [] }
  const blocks = arrayOf(content)
  const reasoning = blocks.filter(isObject).filter(({ type }) => type === 'thinking')
  const calls = blocks.filter(isToolCall)
  const spoken = blocks.filter(
    (block) => !isObject(block) || (block.type !== 'thinking' && !isToolCall(block)),
  )
  return { parts: piParts(spoken, provider), calls: calls.map((call) => toCall(call, provider)), reasoning }
}

function isToolCall(block: unknown): block is Loose {
  return isObject(block) && block.type === 'toolCall' && nameOf(block.name) !== undefined
}

function toCall(block: Loose, provider: string): ToolCall {
  const signature = nameOf(block.thoughtSignature)
  return functionCall(
    nameOf(block.id) ?? '',
    nameOf(block.name) ?? '',
    toolArguments(block.arguments),
    signature === undefined ? undefined : { [provider]: { thoughtSignature: signature } },
  )
}

/** A command that the user ran in pi, as text for the model. */
export function bashExecutionText(message: Loose): string {
  const lines = [`The user ran a command: ${stringOf(message.command) ?? ''}`]
  const output = nameOf(message.output)
  if (output !== undefined) lines.push(output)
  if (message.cancelled === true) lines.push('[cancelled]')
  else if (typeof message.exitCode === 'number' && message.exitCode !== 0) {
    lines.push(`[exit code ${message.exitCode}]`)
  }
  return lines.join('\n')
}
