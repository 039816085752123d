import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'

/** How long answers are kept back, in milliseconds: what is sent meanwhile does not wait for them. */
const DELAY = 5

/** A way to a server on which is counted how often an answer is waited for. */
export interface CountingProxy {
  readonly url: string
  /** How often something was sent behind an answer. */
  readonly trips: number
  close(): Promise<void>
}

/** @param url A server behind a socket of this machine. */
export async function startCountingProxy(url: string): Promise<CountingProxy> {
  const { host, port } = new Client(url)
  const sockets = new Set<Socket>()
  let trips = 0
  const proxy = createServer((client) => {
    const server = connectSocket(join(host, `.s.PGSQL.${port}`))
    let isWaiting = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    client.on('data', (data) => {
      if (!isWaiting) trips++
      isWaiting = true
      server.write(data)
    })
    server.on('data', (data) => {
      setTimeout(() => {
        isWaiting = false
        client.write(data)
      }, DELAY)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has a port')
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    get trips() {
      return trips
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
