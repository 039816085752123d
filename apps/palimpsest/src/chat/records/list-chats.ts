import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageText } from '@palimpsest/core'
import { readRecord } from './read-record.ts'
import { chatsFolder } from './record-line.ts'

/** One line of the list of chats that can be resumed. */
export interface ChatListing {
  readonly id: string
  /** The folder that it began in. */
  readonly workspace: string
  /** The beginning of the conversation, on one line. */
  readonly firstWords: string
  /** Of the last change, in milliseconds since the epoch. */
  readonly at: number
  readonly messages: number
}

/** Chats that are read for a list: the newest ones. */
const MAX_LISTED = 200
/** Characters of the first words. */
const MAX_CHARACTERS = 100

/** The chats on this machine in which something stands, the newest first. What cannot be read as a chat is left out. */
export async function listChats(home: string): Promise<ChatListing[]> {
  const folder = chatsFolder(home)
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => {
        const path = join(folder, name)
        return { path, changed: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
      }),
  )
  const listed: ChatListing[] = []
  // One after the other: a long chat takes memory while it is read.
  for (const { path } of files.sort((a, b) => b.changed - a.changed).slice(0, MAX_LISTED)) {
    const record = await readRecord(path).catch(() => undefined)
    if (record === undefined || record.messages.length === 0) continue
    const { header, messages, at } = record
    const question = messages.find(({ role }) => role === 'user')
    const firstWords = question === undefined ? '' : oneLine(messageText(question))
    listed.push({ id: header.id, workspace: header.workspace, firstWords, at, messages: messages.length })
  }
  return listed.sort((a, b) => b.at - a.at)
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_CHARACTERS * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…`
}
