"""Settings of this instance, over OpenBench's own."""

import os
from urllib.parse import urlsplit

from OpenSite.settings import *  # noqa: F403
from OpenSite.settings import BASE_DIR, MIDDLEWARE

ORIGIN = os.environ["OPENBENCH_ORIGIN"]
SECRET_KEY = os.environ["OPENBENCH_SECRET_KEY"]
DEBUG = False
ALLOWED_HOSTS = [urlsplit(ORIGIN).hostname]
CSRF_TRUSTED_ORIGINS = [ORIGIN]

# Plain HTTP is for a trial on one machine.
if urlsplit(ORIGIN).scheme == "https":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 30 * 24 * 3600
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

# So is a database in a file.
if "OPENBENCH_DATABASE_HOST" in os.environ:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "HOST": os.environ["OPENBENCH_DATABASE_HOST"],
            "PORT": os.environ.get("OPENBENCH_DATABASE_PORT", ""),
            "NAME": "openbench",
            "USER": "openbench",
            "PASSWORD": os.environ["OPENBENCH_DATABASE_PASSWORD"],
            "CONN_MAX_AGE": 60,
        }
    }

# Without debug mode, Django serves no static files by itself.
STATIC_ROOT = os.path.join(BASE_DIR, "static")
MIDDLEWARE = [
    MIDDLEWARE[0],
    "whitenoise.middleware.WhiteNoiseMiddleware",
    *MIDDLEWARE[1:],
]
