import type { SlotNames } from './slot-names.ts'

/** Where it runs, how it gets there, and how it is watched. */
export const OPERATIONS_NAMES: SlotNames = {
  auth: `JWT = json web token, json web tokens, jwts, jot tokens; sessions = session cookies, session cookie, cookie sessions, server-side sessions,
    server side sessions, cookie-based sessions, session-based auth, session auth, session-based authentication; OAuth 2.0 = oauth, oauth2, oauth 2; OpenID Connect = oidc, openid;
    SAML = saml 2.0; API keys = api key, api-key; basic auth = http basic, basic authentication, http basic auth; magic links = magic link;
    passkeys = passkey, webauthn, fido2; mTLS = mutual tls; LDAP; Kerberos; Active Directory; Auth0; Clerk; Okta; Keycloak; Cognito = amazon cognito,
    aws cognito; Firebase Auth; Supabase Auth; NextAuth = next-auth, nextauth.js, auth.js; Passport = passport.js; Lucia; Better Auth = better-auth;
    Devise; Ory; Zitadel; Authelia; WorkOS; Stytch; SuperTokens; PASETO; TOTP; SSO = single sign-on; bearer tokens = bearer token; Entra ID = azure ad;
    Spring Security; Guardian; django-allauth; HMAC; GitHub login; Google login = google sign-in`,
  authorization: `RBAC = role-based access control; ABAC; ACLs = acl; Casbin; OPA = open policy agent; Cerbos; OpenFGA; Pundit; CanCanCan; CASL; row-level
    security = rls, row level security`,
  'password-hashing': `bcrypt; Argon2 = argon2id; scrypt; PBKDF2`,
  encryption: `AES-256 = aes, aes-256-gcm, aes-gcm; RSA; Ed25519; libsodium = nacl; ChaCha20; TLS 1.3; Vault = hashicorp vault; SOPS; KMS = aws kms;
    AWS Secrets Manager = secrets manager; Doppler; dotenv; age`,
  ci: `GitHub Actions = gh actions; GitLab CI = gitlab ci/cd; Jenkins; CircleCI = circle ci; Travis CI = travis; Buildkite; Azure Pipelines = azure devops;
    Bitbucket Pipelines; TeamCity; Drone = drone ci; Argo CD = argocd; Flux = fluxcd; Tekton; Bamboo; AppVeyor; Woodpecker; Dagger.io; Codefresh; Spinnaker;
    Semaphore CI; Cloud Build; CodePipeline; Xcode Cloud; Fastlane; Codemagic; Bitrise; EAS Build = eas; App Center; GoCD; Concourse; Renovate; Dependabot; semantic-release; release-please`,
  hosting: `AWS = amazon web services; GCP = google cloud, google cloud platform; Azure = microsoft azure; Vercel; Netlify; Heroku; Fly.io = fly; Render =
    render.com; Railway; DigitalOcean = digital ocean; Cloudflare = cloudflare pages; Hetzner; Linode; Vultr; OVH = ovhcloud; Lambda = aws lambda; EC2; ECS;
    EKS; Fargate; App Engine = google app engine; Cloud Run = google cloud run; Cloud Functions; Azure Functions; GKE; AKS; Lightsail; Elastic Beanstalk =
    beanstalk; GitHub Pages; Deno Deploy; Firebase Hosting; Scaleway; Coolify; Dokku; CapRover; Kamal; on-premises = on-prem, on premise, on premises; bare metal;
    self-hosted = self hosted, self-hosting; VPS = a vps; App Runner; OpenStack; Raspberry Pi; Alibaba Cloud = aliyun; Yandex Cloud; Modal; RunPod`,
  containers: `Docker = докер; Podman; Buildah; containerd; Docker Compose = docker-compose; LXC; Singularity = apptainer; Kaniko; Buildpacks; distroless; Vagrant; Firecracker; devcontainers = dev containers`,
  orchestration: `Kubernetes = k8s, кубернетес; Nomad; Docker Swarm = swarm; K3s; OpenShift; Rancher; Mesos; ECS; Knative; Helm = helm charts; Kustomize; MicroK8s; Istio;
    Linkerd; systemd; pm2; supervisord`,
  'infrastructure-as-code': `Terraform; OpenTofu; Pulumi; CloudFormation; AWS CDK = cdk; Ansible; Chef = chef; Puppet = puppet; SaltStack; Bicep; Crossplane; SST; Serverless Framework; NixOS`,
  'web-server': `Nginx = nginx ingress; Apache = apache httpd; Caddy; Traefik; HAProxy; Envoy; IIS; Tomcat; Jetty; Gunicorn; Uvicorn; Hypercorn; uWSGI; Puma; Unicorn; Passenger; Lighttpd;
    Kong; Waitress; Cowboy; Undertow; Netty; API Gateway = aws api gateway; ALB; Kestrel; OpenResty; FrankenPHP`,
  cdn: `CloudFront; Fastly; Cloudflare CDN; Akamai; Bunny = bunny.net; jsDelivr; KeyCDN`,
  logging: `pino; Winston; Bunyan; log4j = log4j2; Logback; SLF4J; Serilog; NLog; loguru; structlog; zap; logrus; slog; zerolog; Monolog; Loki = grafana loki; Logstash; Fluentd; Fluent Bit;
    ELK = elk stack; Splunk; Papertrail; Loggly; Better Stack; Graylog; tslog; env_logger; consola; Lograge; JSON logs = structured logs, structured logging, json logging, structured json logs; syslog; journald; Axiom; Vector.dev`,
  monitoring: `Prometheus; Grafana; Datadog = data dog; New Relic; Sentry; Honeycomb; Jaeger; Zipkin; OpenTelemetry = otel; Dynatrace; AppDynamics; Nagios; Zabbix; CloudWatch; Bugsnag; Rollbar;
    Elastic APM; VictoriaMetrics; StatsD; Graphite; Uptime Kuma; PagerDuty; Opsgenie; Tempo; Pyroscope; Checkly; Raygun; LogRocket; Netdata; SigNoz; Lightstep`,
  analytics: `PostHog; Mixpanel; Amplitude; Google Analytics; Plausible; Matomo; Segment; Umami; Metabase; Superset = apache superset; Looker; Tableau; Power BI; Snowplow; Fathom; Heap; Redash`,
  'feature-flags': `LaunchDarkly; Unleash; Flagsmith; ConfigCat; GrowthBook; Split.io; OpenFeature; Statsig; Flipper; Flipt`,
  payments: `Stripe; PayPal; Adyen; Braintree; Square; Paddle; Lemon Squeezy; Mollie; Klarna; Razorpay; Chargebee; Recurly; Apple Pay; Google Pay; Worldpay; Checkout.com; Alipay`,
  email: `SendGrid; Mailgun; Postmark; SES = amazon ses, aws ses; Resend; Mailchimp; Brevo = sendinblue; Mailtrap; SMTP; SparkPost; Mandrill; MJML; React Email; Loops.so`,
  sms: `Twilio; Vonage; MessageBird; Plivo; Sinch`,
  maps: `Mapbox; Google Maps; Leaflet; OpenStreetMap = osm; MapLibre; OpenLayers; PostGIS; Cesium; deck.gl; HERE Maps`,
  'version-control': `Git; Mercurial; SVN = subversion; Perforce; Jujutsu = jj; Git LFS`,
  'code-hosting': `GitHub; GitLab; Bitbucket; Gitea; Codeberg; Forgejo; Azure Repos; SourceHut; Gerrit`,
  'issue-tracker': `Jira; Linear; Trello; Asana; GitHub Issues; YouTrack; ClickUp; Notion; Shortcut; Redmine; Monday.com; Basecamp; Bugzilla; Plane.so`,
  chat: `Slack; Discord; Microsoft Teams = ms teams; Telegram; Mattermost; Zulip; Matrix; WhatsApp; Rocket.Chat; IRC`,
  documentation: `OpenAPI = swagger, openapi 3, openapi 3.1; AsyncAPI; TypeDoc; Sphinx; Javadoc; Doxygen; Mintlify; Redoc; Confluence; ADRs = adr, architecture decision records; rustdoc; ExDoc; MADR; GitBook; Starlight; Nextra; Fumadocs; pdoc; Dokka; DocFX; roxygen2 = roxygen; mdBook; Mermaid; PlantUML; AsciiDoc; Read the Docs`,
  hardware: `STM32; ESP32; ESP8266; nRF52 = nrf52840; RP2040 = raspberry pi pico; Arduino; Teensy; Jetson = jetson nano; BeagleBone; ATmega328; FPGA; RISC-V; Cortex-M4; AVR; PIC`,
  rtos: `FreeRTOS; Zephyr; ThreadX = azure rtos; NuttX; Mbed OS = mbed; ESP-IDF; RIOT OS; Embassy; RTIC; bare-metal; ChibiOS; QNX; VxWorks; RT-Thread; Arduino framework; PlatformIO; Yocto; Buildroot; OpenWrt`,
  connectivity: `BLE = bluetooth low energy, bluetooth le; LoRaWAN = lora; Zigbee; Z-Wave; Thread protocol; Matter; CAN bus = canbus, can-bus; Modbus = modbus rtu, modbus tcp; I2C = i²c; SPI; UART; RS-485 = rs485; Wi-Fi = wifi; NB-IoT; LTE-M; CoAP; OPC UA; USB; Bluetooth; Ethernet; NFC; 1-Wire; ESP-NOW; DMX`,
  registry: `npmjs = npm registry; PyPI; crates.io; Maven Central; RubyGems; Docker Hub; GHCR = github container registry; ECR = amazon ecr; Artifactory; Nexus; JSR; Verdaccio; GitHub Packages; Harbor`,
  notebook: `Jupyter = jupyter notebooks, jupyter notebook, jupyterlab; Quarto; marimo; R Markdown = rmarkdown; Colab = google colab; Observable; Zeppelin; Deepnote; Papermill`,
  typesetting: `LaTeX = latex; Typst; Pandoc; Word documents; reStructuredText = rst`,
  'job-runner': `SLURM; HTCondor; PBS; Argo Workflows; AWS Batch; cron = cron jobs, cronjob`,
  optimizer: `Adam; AdamW; SGD; RMSprop; Lion optimizer; Adagrad; LBFGS`,
  'operating-system': `Ubuntu; Debian; Alpine Linux; Fedora; CentOS; RHEL; Arch Linux; Windows Server; macOS; FreeBSD; Amazon Linux; Rocky Linux; AlmaLinux; openSUSE; Windows; Linux`,
}
