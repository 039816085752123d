import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiV1 } from '../src/http/api-v1.ts'
import { route } from '../src/http/router.ts'
import { clock, lunch, newLedger } from './helpers.ts'

// FROZEN. The accountants' tool depends on every byte of these bodies.

function setUp() {
  const ledger = newLedger()
  ledger.postAll([
    lunch({ note: 'kick-off' }),
    lunch({ office: 'tokyo', currency: 'JPY', amount: 980, vendor: 'Bento Hibari' }),
  ])
  const routes = apiV1({ ledger, clock })
  return (method: string, url: string, body?: unknown) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const response = route(routes, { method, path: pathname, query: searchParams, body })
    return { status: response.status, json: JSON.stringify(response.body) }
  }
}

describe('GET /v1/entries', () => {
  it('answers a count and the entries', () => {
    assert.deepEqual(setUp()('GET', '/v1/entries?office=tokyo&month=2026-03'), {
      status: 200,
      json: '{"count":1,"entries":[{"id":"E-000002","office":"tokyo","posted_at":"2026-03-10T12:30:00.000Z","amount":980,"currency":"JPY","vendor":"Bento Hibari","category":"meals","note":"","reverses":null}]}',
    })
  })

  it('filters by part of the vendor', () => {
    assert.match(setUp()('GET', '/v1/entries?vendor=tasca').json, /^\{"count":1,/)
  })

  it('refuses a month that is none', () => {
    assert.deepEqual(setUp()('GET', '/v1/entries?month=March'), {
      status: 400,
      json: '{"error":"bad-request","message":"\\"March\\" is not a month; write it as 2026-03"}',
    })
  })
})

describe('GET /v1/entries/:id', () => {
  it('answers one entry', () => {
    assert.deepEqual(setUp()('GET', '/v1/entries/E-000001'), {
      status: 200,
      json: '{"id":"E-000001","office":"lisbon","posted_at":"2026-03-10T12:30:00.000Z","amount":1250,"currency":"EUR","vendor":"Tasca do Cais","category":"meals","note":"kick-off","reverses":null}',
    })
  })

  it('answers 404 for an unknown id', () => {
    assert.deepEqual(setUp()('GET', '/v1/entries/E-000404'), {
      status: 404,
      json: '{"error":"not-found","message":"there is no entry E-000404"}',
    })
  })
})

describe('POST /v1/entries', () => {
  it('books with the category of the vendor', () => {
    const body = { office: 'tokyo', amount: 730, vendor: 'Shinkawa Taxi' }
    assert.deepEqual(setUp()('POST', '/v1/entries', body), {
      status: 201,
      json: '{"id":"E-000003","office":"tokyo","posted_at":"2026-04-02T10:00:00.000Z","amount":730,"currency":"JPY","vendor":"Shinkawa Taxi","category":"travel","note":"","reverses":null}',
    })
  })

  it('refuses half a cent', () => {
    assert.equal(setUp()('POST', '/v1/entries', { office: 'lisbon', amount: 12.5, vendor: 'x' }).status, 400)
  })
})

describe('POST /v1/entries/:id/reverse', () => {
  it('answers the reversal, and 409 the second time', () => {
    const call = setUp()
    assert.match(call('POST', '/v1/entries/E-000001/reverse', { note: 'twice' }).json, /"amount":-1250,.*"reverses":"E-000001"\}$/)
    assert.equal(call('POST', '/v1/entries/E-000001/reverse').status, 409)
  })
})

describe('GET /v1/report', () => {
  it('answers the month by category', () => {
    assert.deepEqual(setUp()('GET', '/v1/report?office=lisbon&month=2026-03'), {
      status: 200,
      json: '{"office":"lisbon","month":"2026-03","lines":[{"category":"meals","count":1,"amount":1250}],"total":1250}',
    })
  })
})
