import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'

/** Where a connection breaks: before the server hears of the commit, or before its answer arrives. */
export type Cut = 'before' | 'after'

/** A way to a server that breaks now and then in the middle of a commit. */
export interface CuttingProxy {
  readonly url: string
  /** How often it broke, of each kind. */
  readonly cuts: Record<Cut, number>
  /** Takes no new connections from now on. */
  refuse(): void
  close(): Promise<void>
}

/**
 * @param url A server behind a socket of this machine.
 * @param plan What is to happen at the next commit; undefined: nothing. `sent`: what it comes with.
 */
export async function startCuttingProxy(
  url: string,
  plan: (sent: string) => Cut | undefined,
): Promise<CuttingProxy> {
  const { host, port } = new Client(url)
  const cuts = { before: 0, after: 0 }
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connectSocket(join(host, `.s.PGSQL.${port}`))
    let answersCut = false
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (data) => {
      // The end of a message; a beginning has `READ COMMITTED` in it.
      const cut = data.includes('COMMIT\0') ? plan(data.toString('latin1')) : undefined
      if (cut !== undefined) cuts[cut]++
      if (cut === 'before') return end()
      answersCut ||= cut === 'after'
      server.write(data)
    })
    server.on('data', (data) => {
      if (!answersCut) client.write(data)
      // What was sent in front of the commit is answered first.
      else if (data.includes('COMMIT\0')) end()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has a port')
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    cuts,
    refuse() {
      proxy.close()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
