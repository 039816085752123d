"""The agent interface of LoCoEval, forwarded to `palimpsest serve`. Standard library only."""

import json
import os
import urllib.parse
import urllib.request
import uuid


class PalimpsestAgent:
    """One conversation about one repository. Answers come from the service at `url`."""

    def __init__(self, url=None, session=None, token=None, timeout=300):
        self.url = (url or os.environ.get("PALIMPSEST_URL", "http://127.0.0.1:3000")).rstrip("/")
        self.session = session or uuid.uuid4().hex
        self.token = token or os.environ.get("PALIMPSEST_TOKEN")
        self.timeout = timeout

    def init(self, repo):
        return self._post("/init", {"repoName": repo})

    def query(self, request):
        if not isinstance(request, dict) or not isinstance(request.get("query"), str):
            raise TypeError('query() takes a dict with a text at "query", such as {"query": "How are records stored?"}')
        asked = {key: request[key] for key in ("query", "task", "relevantCodes") if request.get(key) is not None}
        return {"answer": self._post("/query", {**asked, "requestId": uuid.uuid4().hex})["answer"]}

    def state(self):
        return self._send("/state?" + urllib.parse.urlencode({"session": self.session}))

    def _post(self, path, body):
        return self._send(path, {**body, "session": self.session})

    def _send(self, path, body=None):
        headers = {"content-type": "application/json", **({"authorization": f"Bearer {self.token}"} if self.token else {})}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=self.timeout) as answer:
            return json.load(answer)
