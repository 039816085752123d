import { describe, expect, it } from 'vitest'
import { requestHeaders } from '../../src/http/upstream.ts'

const CLIENT = { authorization: 'Bearer theirs', 'x-api-key': 'theirs', 'anthropic-version': '2023-06-01' }
const sent = (given: Record<string, string>, apiKey: string | undefined, hasToken: boolean) =>
  Object.fromEntries(requestHeaders(new Headers(given), { apiKey, hasToken }))

describe('the credentials that an upstream gets', () => {
  it("are the client's own, as it sent them", () => {
    expect(sent(CLIENT, undefined, false)).toEqual(CLIENT)
  })

  it('never hold the token of the service, in whatever header it came', () => {
    expect(sent(CLIENT, undefined, true)).toEqual({ 'anthropic-version': '2023-06-01' })
    expect(JSON.stringify(sent(CLIENT, 'ours', true))).not.toContain('theirs')
  })

  it("are the gateway's key in the header of the API that is asked", () => {
    expect(sent(CLIENT, 'ours', false)).toEqual({ 'anthropic-version': '2023-06-01', 'x-api-key': 'ours' })
    expect(sent({ authorization: 'Bearer theirs' }, 'ours', false)).toEqual({ authorization: 'Bearer ours' })
  })
})
