"""The table page: one small protocol, a local server for it, and the static page itself.

`encode`, `decode`, `standing`, `asking` and `table` are pure: text in, text out, time and dice as arguments.
They also run in a browser's worker. `server` needs aiohttp (the extra `web`) and is imported only to serve.
"""
