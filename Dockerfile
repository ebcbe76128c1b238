# The image of the action. It builds with BuildKit and without it.
#
# BASE is any image with Python 3.11 or newer, pip and venv. An image that is meant for
# others names it by digest: --build-arg BASE=python:3.13-slim@sha256:<its digest>
ARG BASE=python:3.13-slim

FROM ${BASE} AS build
# Builders that keep stages as images can be told to let go of old ones by this.
LABEL fairtrial.stage=build
COPY requirements/build.txt requirements/run.txt /tmp/requirements/
RUN python3 -m venv /tmp/build \
 && /tmp/build/bin/pip install --no-cache-dir --disable-pip-version-check \
      --require-hashes -r /tmp/requirements/build.txt \
 && python3 -m venv /opt/fairtrial \
 && /opt/fairtrial/bin/pip install --no-cache-dir --disable-pip-version-check \
      --require-hashes -r /tmp/requirements/run.txt
COPY pyproject.toml README.md LICENSE /tmp/source/
COPY src /tmp/source/src
RUN /tmp/build/bin/pip wheel --no-cache-dir --disable-pip-version-check \
      --no-deps --no-build-isolation --wheel-dir /tmp/wheel /tmp/source \
 && /opt/fairtrial/bin/pip install --no-cache-dir --disable-pip-version-check \
      --no-deps /tmp/wheel/fairtrial-*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="fairtrial" \
      org.opencontainers.image.licenses="MIT"
RUN command -v git >/dev/null \
 || { apt-get update \
      && apt-get install -y --no-install-recommends git ca-certificates \
      && rm -rf /var/lib/apt/lists/*; }
COPY --from=build /opt/fairtrial /opt/fairtrial
# Neither USER nor WORKDIR: the runner mounts the workspace for root, and says where.
#
# In exec form: a shell would drop the inputs, whose names have hyphens, and keep the
# signals for itself. -I: the workspace is the working directory and belongs to the pull
# request, so no module is imported from it, and no PYTHON* variable counts.
ENTRYPOINT ["/opt/fairtrial/bin/python", "-I", "-u", "-X", "utf8", "-m", "fairtrial.action"]
