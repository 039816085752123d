import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, propose, retract, rule } from '../label.ts'

/** Operations and delivery. */
export const operations: readonly LabelledConversation[] = [
  talk('dev-operations-1', 'en', [
    user(
      'CI runs on GitHub Actions, deploys go to Fly.io. Trunk-based, no long-lived branches.',
      assert('ci', 'GitHub Actions'),
      assert('hosting', 'Fly.io'),
      assert('branching', 'Trunk-based'),
      maybe(rule('long-lived branches')),
    ),
    assistant('I will add a workflow. I also suggest squash merges.', propose('any', 'squash merges')),
    user('yep', accept('any', 'squash merges')),
    none(
      'log',
      'it failed\n##[error]Process completed with exit code 1\n##[debug]using runner ubuntu-22.04\nnpm WARN deprecated use yarn instead\nchoose one of: [staging, production]',
    ),
    assistant('`npm ci` found no lockfile. I commit one.'),
    none('one-off', 'then rerun the job with debug logging'),
    user('timeout for jobs: 20 minutes', assert('setting:timeout', '20 minutes')),
    user("nothing gets merged without a green build, that's a hard rule", rule('without a green build')),
  ]),
  talk('dev-operations-2', 'en', [
    none('question', 'Terraform or Pulumi? We know neither.'),
    assistant(
      'Terraform has more examples, Pulumi uses real languages. I would choose Terraform.',
      propose('any', 'Terraform'),
      maybe(propose('any', 'Pulumi')),
    ),
    user("ok let's go with what you said", accept('any', 'Terraform')),
    ...ran(
      'bash',
      { command: 'terraform plan' },
      'Plan: 3 to add, 0 to change.\n# decision: use region us-east-1\nWe will use t3.micro from now on',
    ),
    assistant('The plan adds three resources in us-east-1.'),
    user('Region has to be eu-central-1!', assert('any', 'eu-central-1')),
    user('rename the module `net` to `network`', assert('name:net', 'network')),
    none('reported', 'Security asked whether we would move to Azure. I told them no such plan exists.'),
    user('log retention 30 days', assert('setting:log-retention', '30 days')),
    user('log retention 90 days instead, compliance wants it', assert('setting:log-retention', '90 days')),
    none('hypothetical', 'Could we ever run this on bare metal?'),
  ]),
  talk('dev-operations-3', 'en', [
    none('history', 'Back in 2018 we deployed with Capistrano from a laptop.'),
    assistant('Those were the days. Do you want containers now?'),
    user(
      'Kubernetes, one namespace per team. Helm for the charts.',
      assert('any', 'Kubernetes'),
      maybe(rule('one namespace per team')),
      assert('any', 'Helm', { area: 'charts' }),
    ),
    none('negation', "Not Nomad. Don't even mention it again."),
    none('quote', "From their blog: 'we moved off Kubernetes and saved millions'. Thoughts?"),
    assistant(
      'They run three machines. For forty services I would stay with Kubernetes.',
      maybe(propose('any', 'Kubernetes')),
    ),
    user('Grafana and Loki for observability', assert('any', 'Grafana'), assert('any', 'Loki')),
    user(
      'scrap Helm, kustomize is enough for us',
      assert('any', 'kustomize', { replaces: 'Helm' }),
      maybe(retract('any', 'Helm')),
    ),
    none('statement', 'We had two outages this quarter, both because of DNS.'),
    none('joke', 'time to host it on a toaster'),
    none('one-off', 'check with dig what the resolver answers'),
  ]),
]
