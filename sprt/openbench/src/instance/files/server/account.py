"""account.py NAME [--approver] [--admin]: makes an account that can be used at once, or changes one.

The password is typed, or is the first line of stdin. An approver approves tests and uploads networks; an admin may also
use the pages below /admin/.
"""

import argparse
import getpass
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "OpenSite.instance")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.password_validation import validate_password  # noqa: E402
from django.core.exceptions import ValidationError  # noqa: E402
from OpenBench.models import Profile  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("name")
parser.add_argument("--approver", action="store_true")
parser.add_argument("--admin", action="store_true")
args = parser.parse_args()
if not args.name.isalnum():
    sys.exit(f"account.py: `{args.name}` has other characters than letters and digits, which OpenBench does not take")

typed = getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
try:
    validate_password(typed)
except ValidationError as error:
    sys.exit(f"account.py: {' '.join(error.messages)}")

user, _ = User.objects.get_or_create(username=args.name)
user.set_password(typed)
user.is_staff = user.is_superuser = args.admin
user.save()
Profile.objects.update_or_create(user=user, defaults={"enabled": True, "approver": args.approver})
print(f"{args.name} can log in" + (", and approves" if args.approver else ""))
