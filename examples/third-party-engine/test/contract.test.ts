import { testContextEngine } from '@palimpsest/contract-tests/node-test'
import topicWindow from '../src/index.ts'

testContextEngine({
  name: 'topic-window',
  create: ({ options, ...host }) => topicWindow.create(options, host),
  expectCapabilities: ['tools'],
})
