import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeHomeFolder } from '../../home-folder.ts'
import { UsageError } from '../../usage-error.ts'
import { describeWriteFault } from '../../write-fault.ts'
import { type RecordEvent, type RecordHeader, toLine } from './record-line.ts'

/** Appends to a record. */
export interface RecordWriter {
  /**
   * Resolves when the line is on the disk.
   *
   * @throws UsageError when it cannot be written; the record is as it was then.
   */
  append(event: RecordEvent): Promise<void>
  /** Whether there is no line yet. */
  readonly isEmpty: boolean
  close(): Promise<void>
}

export interface RecordWriterInput {
  readonly path: string
  /** Asked for when the first line is written. */
  readonly header: () => RecordHeader
  /** Bytes of the record that are whole: what is behind them is cut off. 0: there is no record yet. */
  readonly bytes: number
}

/** The file is made with the first line, so that a chat in which nothing was said leaves none. */
export function createRecordWriter({ path, header, bytes }: RecordWriterInput): RecordWriter {
  let length = bytes
  let handle: FileHandle | undefined

  const openFile = async (): Promise<FileHandle> => {
    makeHomeFolder(dirname(path))
    // A new chat must not write into the file of another one.
    const opened = await open(path, length === 0 ? 'wx' : 'r+', 0o600)
    handle = opened
    await opened.truncate(length)
    return opened
  }

  return {
    async append(event) {
      const beginning = length === 0 ? toLine(header()) : ''
      const line = Buffer.from(beginning + toLine(event))
      try {
        const file = handle ?? (await openFile())
        // A disk that is almost full takes a part of a line, and refuses with the rest.
        for (let done = 0; done < line.length; )
          done += (await file.write(line, done, line.length - done, length + done)).bytesWritten
        await file.datasync()
        length += line.length
      } catch (cause) {
        // Half a line would be read as the end of the record, and what comes behind it as damage.
        await handle?.truncate(length).catch(() => {})
        if (cause instanceof UsageError) throw cause
        throw new UsageError(`the record ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
          cause,
        })
      }
    },
    get isEmpty() {
      return length === 0
    },
    async close() {
      await handle?.close()
      handle = undefined
    },
  }
}
