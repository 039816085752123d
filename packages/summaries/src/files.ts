import { answeredCalls, type Message, type TokenCounter, toolCallsOf } from '@palimpsest/core'
import { type FileOperation, fileTouches } from './tools/file-touches.ts'
import { resultStatus } from './tools/tool-outcome.ts'

export type FileState = 'created' | 'changed' | 'deleted'

const STATES: { readonly [Operation in FileOperation]?: FileState } = {
  created: 'created',
  edited: 'changed',
  deleted: 'deleted',
}

export type FileStates = ReadonlyMap<string, FileState>

export function changedFiles(messages: readonly Message[], before: FileStates = new Map()): FileStates {
  const files = new Map(before)
  const answers = new Map([...answeredCalls(messages)].map(([result, call]) => [call, result]))
  for (const message of messages)
    for (const call of toolCallsOf(message)) {
      const result = answers.get(call)
      if (result !== undefined && resultStatus(result, call) === 'failed') continue
      for (const { path, operation } of fileTouches(call)) {
        const state = STATES[operation]
        if (state !== undefined) touch(files, path, state)
      }
    }
  return files
}

export function joinFiles(parts: readonly FileStates[]): FileStates {
  const files = new Map<string, FileState>()
  for (const part of parts) for (const [path, state] of part) touch(files, path, state)
  return files
}

function touch(files: Map<string, FileState>, path: string, state: FileState): void {
  const before = files.get(path)
  files.delete(path)
  files.set(path, state === 'changed' && before === 'created' ? before : state)
}

const ENTRY = /^(.+) \((created|changed|deleted)\)$/

export function fileLines(files: FileStates, maxTokens: number, tokens: TokenCounter): string[] {
  let kept = [...files]
  let left = 0
  for (;;) {
    const lines = linesOf(kept)
    if (left > 0) lines.unshift(`- … ${left} files that were changed longer ago`)
    const size = tokens.countText(lines.join('\n'))
    if (size <= maxTokens || kept.length === 0) return kept.length === 0 ? [] : lines
    const most = Math.floor((kept.length * maxTokens) / size)
    left += kept.length - most
    kept = kept.slice(kept.length - most)
  }
}

function linesOf(files: readonly (readonly [path: string, state: FileState])[]): string[] {
  const folders = new Map<string, string[]>()
  for (const [path, state] of files) {
    const slash = path.lastIndexOf('/')
    const folder = slash === -1 ? '.' : path.slice(0, slash) || '/'
    const entries = folders.get(folder) ?? []
    folders.set(folder, [...entries, `${path.slice(slash + 1)} (${state})`])
  }
  return [...folders].map(([folder, entries]) => `- ${folder}: ${entries.join(', ')}`)
}

export function readFiles(lines: readonly string[]): FileStates {
  const files = new Map<string, FileState>()
  for (const line of lines) {
    const colon = line.indexOf(': ')
    const folder = line.slice('- '.length, colon)
    for (const entry of line.slice(colon + ': '.length).split(', ')) {
      const [, name, state] = ENTRY.exec(entry) ?? []
      if (colon === -1 || name === undefined) continue
      const path = folder === '.' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`
      files.set(path, state as FileState)
    }
  }
  return files
}
