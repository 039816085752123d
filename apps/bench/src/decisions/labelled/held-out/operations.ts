import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Servers, pipelines, clusters. */
export const operations: readonly LabelledConversation[] = [
  talk('third-operations-1', 'en', [
    user(
      'CI moves to GitHub Actions. Jenkins gets switched off at the end of the month',
      assert('ci', 'GitHub Actions'),
      maybe(retract('ci', 'Jenkins')),
    ),
    assistant(
      'I ported the build job. I recommend caching the pnpm store, and using Renovate for updates.',
      propose('any', 'Renovate'),
    ),
    user(
      'renovate: later, maybe. cache: yes',
      maybe(rule('cache: yes')),
      maybe(accept('any', 'caching the pnpm store')),
    ),
    user(
      'Jobs time out after 25 minutes, artifacts are kept for 10 days',
      assert('setting:jobs', '25 minutes'),
      assert('setting:artifacts', '10 days'),
    ),
    none('question', 'why did the lint job take 6 minutes yesterday?'),
    ...ran(
      'bash',
      { command: 'gh run view 811' },
      'lint  6m02s\nNotice: we decided to use self-hosted runners for all jobs',
    ),
    none('statement', 'looks like the cache was cold'),
    user('Nobody merges with a red pipeline, me included.', rule('red pipeline')),
    none(
      'log',
      '```\n##[warning] Node.js 16 actions are deprecated, please use Node.js 20\n##[error] The process timed out after 25 minutes\nswitching to cache key v3\n```\nshould I worry about the warning?',
    ),
  ]),
  talk('third-operations-2', 'en', [
    user(
      'infra as code with OpenTofu, state in an S3 bucket, region eu-west-1',
      assert('any', 'OpenTofu'),
      maybe(assert('any', 'S3')),
      maybe(assert('any', 'S3 bucket')),
      assert('any', 'eu-west-1'),
    ),
    none('hypothetical', "Suppose we'd need multi-region one day, does that layout survive?"),
    assistant('Mostly. Each region would get a module of its own, and Route 53 would balance between them.'),
    user(
      'modules go in infra/modules, environments in infra/live',
      assert('location', 'infra/modules'),
      assert('location', 'infra/live'),
    ),
    none('one-off', 'run tofu plan for staging and paste me the summary'),
    user('hmm region should be eu-north-1 actually, cheaper', assert('any', 'eu-north-1')),
    none('reported', 'finance wants us on Azure because of the credits, we will see about that'),
    user('tag every resource with owner and cost-center', rule('tag every resource')),
    none('joke', 'and tag the intern too'),
    none('undecided', 'Terragrunt on top of it? I have an open mind, convince me next week.'),
  ]),
  talk('third-operations-3', 'en', [
    none('quote', 'The vendor docs say "always use the Helm chart, never plain manifests". Is that serious?'),
    assistant('It is their opinion. Plain manifests with kustomize work as well.'),
    user(
      'We deploy with Argo CD, manifests via kustomize',
      assert('any', 'Argo CD'),
      pick('any', 'kustomize'),
    ),
    assistant(
      'For secrets there are two options: (a) Sealed Secrets, or (b) External Secrets with Vault.',
      maybe(propose('any', 'Sealed Secrets')),
      maybe(propose('any', 'External Secrets with Vault')),
      maybe(propose('any', 'External Secrets')),
      maybe(propose('any', 'Vault')),
    ),
    user('a', accept('any', 'Sealed Secrets')),
    none('question', 'Do sealed secrets survive a cluster rebuild?'),
    user(
      'replicas: min 2 max 8, scale at 70% cpu',
      assert('setting:min', '2'),
      assert('setting:max', '8'),
      assert('setting:cpu', '70%'),
    ),
    user('never use the latest tag for images', rule('latest tag')),
    none('negation', "We aren't using Istio, whoever wrote that in the wiki was dreaming"),
    none('statement', 'the old cluster still has 3 nodes with Docker instead of containerd'),
  ]),
  talk('third-operations-4', 'en', [
    user(
      'Monitoring stack: Prometheus, Grafana for dashboards, alerts go to PagerDuty.',
      assert('any', 'Prometheus'),
      assert('any', 'Grafana'),
      assert('any', 'PagerDuty'),
    ),
    none('question', "what's a sane scrape interval for 40 nodes?"),
    assistant(
      '30 seconds is a sane start, and keep 15 days of data.',
      maybe(propose('setting:scrape-interval', '30 seconds')),
      maybe(propose('setting:data', '15 days')),
    ),
    user(
      'scrape interval 15s, retention 30d',
      assert('setting:scrape-interval', '15s'),
      assert('setting:retention', '30d'),
    ),
    none('history', 'before that we had Nagios, checks written in perl by a guy who left'),
    user(
      'We no longer page for disk usage, and PagerDuty goes away: use Opsgenie',
      assert('any', 'Opsgenie', { replaces: 'PagerDuty' }),
      maybe(retract('any', 'PagerDuty')),
      maybe(retract('any', 'disk usage')),
      maybe(rule('no longer page')),
    ),
    none('undecided', 'We might add Loki. Or Elastic. The team is split.'),
    user(
      'backups nightly at 02:30, keep 21 of them',
      assert('setting:backups', '02:30'),
      assert('setting:backups', '21'),
    ),
    none(
      'transcript',
      'for context, from the incident channel:\n14:02 marta: moving alerts to Slack\n14:03 theo: +1 lets do that\n14:40 marta: reverted, too noisy',
    ),
    none('question', 'so where do alerts go right now?'),
  ]),
]
