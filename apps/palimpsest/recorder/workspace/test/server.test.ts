import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { createHttpServer } from '../src/http/server.ts'
import { lunch, newLedger } from './helpers.ts'

it('answers JSON over HTTP', async () => {
  const ledger = newLedger()
  ledger.post(lunch())
  const server = createHttpServer({ ledger, log() {} })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const found = await fetch(`${base}/v1/entries/E-000001`)
    assert.equal(found.status, 200)
    assert.equal(found.headers.get('content-type'), 'application/json; charset=utf-8')
    const bad = await fetch(`${base}/v1/entries`, { method: 'POST', body: '{not json' })
    assert.equal(bad.status, 400)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
