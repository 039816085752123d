import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { json } from 'node:stream/consumers'

/** A value that a global setup makes while tests already run. */
export interface SharedValue {
  /** A socket that hands the value out as JSON once it is there. */
  readonly socket: string
  close(): void
}

/** Serves a value to all files of tests. `make` is called for each of them that asks. */
export function shareValue(make: () => Promise<unknown>): SharedValue {
  // Names of sockets may have 104 characters on macOS, half of which its temporary folder takes.
  const folder = mkdtempSync(join(tmpdir(), 's-'))
  const server = createServer(async (connection) => {
    // A worker that ended meanwhile hears nothing.
    connection.on('error', () => {})
    const answer = await make().then(
      (value) => ({ value }),
      (error: unknown) => ({ error: String(error) }),
    )
    connection.end(JSON.stringify(answer))
  })
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 's')
  server.listen(socket)
  return {
    socket,
    close() {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for the value behind a socket. Rejects with the reason when it could not be made. */
export async function sharedValue<T>(socket: string): Promise<T> {
  const { value, error } = (await json(connect(socket))) as { value: T; error?: string }
  if (error !== undefined) throw new Error(error)
  return value
}
