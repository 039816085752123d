import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server'

/** The SDK's own client, connected to a server in this process. */
export async function connect(server: Server): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await server.connect(far)
  await client.connect(near)
  return client
}
